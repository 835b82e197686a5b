import { AppError, isErrorCode } from '@parley/contract/errors'
import type { SourceProgress } from '@parley/contract/sources'
import { trustedScriptUrl } from '../../lib/trusted-url'
import workerUrl from './reader-worker?worker&url'
import type { FromReader, ReaderRequest, ReaderResults, ToReader } from './serve-reader'

type Options = { signal?: AbortSignal; onProgress?: (progress: SourceProgress) => void; transfer?: Transferable[] }
/** `isKept`: it stays when it has nothing to do, with what it has been given. */
type Settings = { start?: (() => Worker) | undefined; isKept?: boolean }

/** A worker that reads files or searches in what was read, one call at a time. It is started by the first call. */
export class ReaderWorkerPort {
  private readonly start: () => Worker
  private readonly isKept: boolean
  private tail: Promise<unknown> = Promise.resolve()
  private worker: Worker | undefined
  private waiting = 0
  private count = 0
  private fail: (error: AppError) => void = () => undefined

  constructor({ start = startWorker, isKept = false }: Settings = {}) {
    this.start = start
    this.isKept = isKept
  }

  /** Throws source.cancelled when the signal is aborted, and what the reader says. */
  call<K extends ReaderRequest['kind']>(
    request: Extract<ReaderRequest, { kind: K }>,
    options: Options = {},
  ): Promise<ReaderResults[K]> {
    this.waiting++
    const result = this.tail.then(() => this.run(request, options)) as Promise<ReaderResults[K]>
    this.tail = result
      .catch(() => undefined)
      .finally(() => {
        this.waiting--
        // Its memory is that of a large document.
        if (this.waiting === 0 && !this.isKept) this.drop()
      })
    return result
  }

  /** Ends the worker at once, whatever it does, and with it all that it holds; the next call starts another one. */
  drop(): void {
    this.worker?.terminate()
    this.worker = undefined
    this.fail(new AppError('source.cancelled'))
  }

  private run(request: ReaderRequest, { signal, onProgress, transfer = [] }: Options): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(new AppError('source.cancelled'))
      const worker = this.worker ?? this.start()
      this.worker = worker
      const id = ++this.count
      const cancel = (): void => this.drop()
      const end = (): void => {
        signal?.removeEventListener('abort', cancel)
        this.fail = () => undefined
      }
      this.fail = (error) => {
        end()
        reject(error)
      }
      signal?.addEventListener('abort', cancel, { once: true })
      worker.onmessage = ({ data }: MessageEvent<FromReader>) => {
        if (data.id !== id) return
        if ('progress' in data) return onProgress?.(data.progress)
        end()
        if ('result' in data) resolve(data.result)
        else reject(new AppError(isErrorCode(data.failure) ? data.failure : 'source.unreadable'))
      }
      worker.onerror = (event) => {
        this.fail(new AppError('source.unreadable', { cause: new Error(event.message) }))
        this.drop()
      }
      worker.postMessage({ ...request, id } satisfies ToReader, transfer)
    })
  }
}

const startWorker = (): Worker =>
  new Worker(trustedScriptUrl(new URL(workerUrl, location.href)), { type: 'module', name: 'reader' })
