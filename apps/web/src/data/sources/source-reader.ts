import { AppError, isErrorCode } from '@parley/contract/errors'
import type { SourceProgress } from '@parley/contract/sources'
import { trustedScriptUrl } from '../../lib/trusted-url'
import workerUrl from './reader-worker?worker&url'
import type { FromReader, ReadResult, ToReader } from './serve-reader'

type FileToRead = { file: Blob; name: string; mediaType: string }
type ReadOptions = { signal: AbortSignal; onProgress: (progress: SourceProgress) => void }
type Call<R> = {
  message: ToReader
  signal?: AbortSignal
  onProgress?: (progress: SourceProgress) => void
  resultOf: (message: FromReader) => R | undefined
}

/** Reads files in a worker, one at a time, which ends with the last one: its memory is that of a large document. */
export class SourceReader {
  private tail: Promise<unknown> = Promise.resolve()
  private worker: Worker | undefined
  private waiting = 0

  constructor(private readonly start: () => Worker = startWorker) {}

  /** Hex SHA-256. */
  digest(file: Blob): Promise<string> {
    return this.call({
      message: { kind: 'digest', id: 0, file },
      resultOf: (message) => ('digest' in message ? message.digest : undefined),
    })
  }

  /** Throws source.cancelled when the signal is aborted, and what the reader says. */
  read({ file, name, mediaType }: FileToRead, { signal, onProgress }: ReadOptions): Promise<ReadResult> {
    return this.call({
      message: { kind: 'read', id: 0, file, name, mediaType },
      signal,
      onProgress,
      resultOf: (message) => ('read' in message ? message.read : undefined),
    })
  }

  private call<R>(call: Call<R>): Promise<R> {
    this.waiting++
    const result = this.tail.then(() => this.run(call))
    this.tail = result
      .catch(() => undefined)
      .finally(() => {
        if (--this.waiting === 0) this.drop()
      })
    return result
  }

  private run<R>({ message, signal, onProgress, resultOf }: Call<R>): Promise<R> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(new AppError('source.cancelled'))
      const worker = this.worker ?? this.start()
      this.worker = worker
      // Ended in the middle, whatever it does: the next file gets a new worker.
      const cancel = (): void => {
        this.drop()
        reject(new AppError('source.cancelled'))
      }
      signal?.addEventListener('abort', cancel, { once: true })
      const end = (): void => signal?.removeEventListener('abort', cancel)
      worker.onmessage = ({ data }: MessageEvent<FromReader>) => {
        if ('progress' in data) return onProgress?.(data.progress)
        end()
        if ('failure' in data)
          return reject(new AppError(isErrorCode(data.failure) ? data.failure : 'source.unreadable'))
        const result = resultOf(data)
        if (result === undefined) reject(new AppError('source.unreadable'))
        else resolve(result)
      }
      worker.onerror = (event) => {
        end()
        this.drop()
        reject(new AppError('source.unreadable', { cause: new Error(event.message) }))
      }
      worker.postMessage(message)
    })
  }

  private drop(): void {
    this.worker?.terminate()
    this.worker = undefined
  }
}

const startWorker = (): Worker =>
  new Worker(trustedScriptUrl(new URL(workerUrl, location.href)), { type: 'module', name: 'reader' })
