import { AppError } from '@parley/contract/errors'
import { trustedScriptUrl } from '../../lib/trusted-url'
import type { FileHead } from './entries'
import { type Batch, type ReadOptions, readEntries } from './read-entries'
import type { ReadOrder, ReadReply } from './read-worker'
import workerUrl from './read-worker?worker&url'

type Options = ReadOptions & { onBatch: (batch: Batch) => void | Promise<void>; signal: AbortSignal }

/**
 * Reads a file in a worker; the next batch is read when this one has been processed. Throws AppError, or the signal's
 * reason.
 */
export async function readFile(file: File, { onBatch, signal, ...options }: Options): Promise<FileHead> {
  const batches = typeof Worker === 'undefined' ? readEntries(file, options) : readInWorker(file, options, signal)
  try {
    while (true) {
      signal.throwIfAborted()
      const { done, value } = await batches.next()
      if (done) return value
      signal.throwIfAborted()
      await onBatch(value)
    }
  } finally {
    await batches.return({ format: 'data', metadata: undefined })
  }
}

async function* readInWorker(file: File, options: ReadOptions, signal: AbortSignal): AsyncGenerator<Batch, FileHead> {
  const worker = new Worker(trustedScriptUrl(new URL(workerUrl, location.href)), { type: 'module', name: 'import' })
  const order = (message: ReadOrder): void => worker.postMessage(message)
  let fail: (reason: unknown) => void = () => undefined
  const onAbort = (): void => fail(signal.reason)
  signal.addEventListener('abort', onAbort)
  worker.onerror = (event) => fail(new AppError('unknown', { cause: new Error(event.message) }))
  try {
    order({ file, options })
    while (true) {
      const reply = await new Promise<ReadReply>((resolve, reject) => {
        worker.onmessage = ({ data }: MessageEvent<ReadReply>) => resolve(data)
        fail = reject
        order('next')
      })
      if ('failure' in reply) throw new AppError(reply.failure, reply.issues ? { issues: reply.issues } : {})
      if ('head' in reply) return reply.head
      yield reply.batch
    }
  } finally {
    signal.removeEventListener('abort', onAbort)
    worker.terminate()
  }
}
