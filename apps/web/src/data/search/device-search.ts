import { AppError, isErrorCode } from '@parley/contract/errors'
import { trustedScriptUrl } from '../../lib/trusted-url'
import { type Change, onChange } from '../local/changes'
import type { Device } from '../local/device'
import { storageError } from '../local/storage-error'
import { onSessionChange } from '../session/stored-session'
import type { IndexHits } from './message-index'
import workerUrl from './search-worker?worker&url'
import type { FromWorker, ToWorker } from './serve-search'

export type Answer = IndexHits & {
  /** While messages are still being indexed: `hits` so far. */
  progress?: { done: number; total: number }
}
type Search = { query: string; limit: number; onAnswer: (answer: Answer) => void; onError: (error: AppError) => void }
type SearchWorker = { device: Device; worker: Worker; stopListening: () => void }

/**
 * Searches the messages of this device in a worker, whose memory is the only place of the word index: the first search
 * starts it, changes update it, and a locked vault or another person ends it.
 */
export class DeviceSearch {
  private running: SearchWorker | undefined
  private current: { id: number; search: Search } | undefined
  private count = 0

  constructor(private readonly openDevice: () => Promise<Device>) {}

  /**
   * Searches for the messages with all words of a query, and cancels the previous search. Answers a function that
   * cancels this one.
   */
  search(search: Search): () => void {
    const id = ++this.count
    this.current = { id, search }
    this.ask(id, search).catch((error: unknown) => this.fail(id, storageError(error)))
    return () => {
      if (this.current?.id === id) this.current = undefined
    }
  }

  /** Terminates the worker, and with it the index. */
  drop(): void {
    this.running?.stopListening()
    this.running?.worker.terminate()
    this.running = undefined
  }

  private async ask(id: number, { query, limit }: Search): Promise<void> {
    const device = await this.openDevice()
    if (this.current?.id !== id) return
    if (this.running?.device !== device) {
      this.drop()
      this.running = this.start(device)
    }
    this.post({ kind: 'search', id, query, limit })
  }

  private start(device: Device): SearchWorker {
    const worker = new Worker(trustedScriptUrl(new URL(workerUrl, location.href)), { type: 'module', name: 'search' })
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => this.onReply(data)
    worker.onerror = (event) => {
      this.drop()
      if (this.current) this.fail(this.current.id, new AppError('unknown', { cause: new Error(event.message) }))
    }
    const open: ToWorker = {
      kind: 'open',
      database: device.db.name,
      keys: device.vault.heldKeys,
      userId: device.userId,
    }
    worker.postMessage(open)
    const stops = [onChange((change) => this.onStorageChange(change)), onSessionChange(() => this.drop())]
    return { device, worker, stopListening: () => stops.forEach((stop) => void stop()) }
  }

  private onStorageChange(change: Change): void {
    if (change.kind === 'messages' || change.kind === 'message')
      this.post({ kind: 'changed', channelId: change.channelId })
    else if (change.kind === 'channels' || change.kind === 'channel')
      this.post({ kind: 'changed', channelId: undefined })
    else if (change.kind !== 'sources') this.drop()
  }

  private post(message: ToWorker): void {
    this.running?.worker.postMessage(message)
  }

  private onReply(message: FromWorker): void {
    if ('failure' in message) {
      // The worker's database was closed, by the browser or for an upgrade: the next search starts a new worker.
      this.drop()
      this.fail(message.id, new AppError(isErrorCode(message.failure) ? message.failure : 'unknown'))
    } else if (this.current?.id === message.id) {
      const { found, progress } = message
      this.current.search.onAnswer({ ...found, ...(progress ? { progress } : {}) })
    }
  }

  private fail(id: number, error: AppError): void {
    if (this.current?.id === id) this.current.search.onError(error)
  }
}
