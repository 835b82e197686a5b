import { AppError, isErrorCode } from '@parley/contract/errors'
import { trustedScriptUrl } from '../../lib/trusted-url'
import { type Change, onChange } from '../local/changes'
import type { Device } from '../local/device'
import { storageError } from '../local/storage-error'
import { onSessionChange } from '../session/stored-session'
import type { Found } from './message-index'
import workerUrl from './search-worker?worker&url'
import type { FromWorker, ToWorker } from './serve-search'

export type Answer = Found & {
  /** While the messages are still being read: what was found so far. */
  progress?: { done: number; total: number }
}
type Search = { query: string; limit: number; onAnswer: (answer: Answer) => void; onError: (error: AppError) => void }
type Running = { device: Device; worker: Worker; stopListening: () => void }

/**
 * Search over the messages of this device. Their words are in the memory of a worker and nowhere else: it is started by the first search, keeps up with what is
 * written, and is ended when the vault is locked or belongs to somebody else.
 */
export class DeviceSearch {
  private running: Running | undefined
  private current: { id: number; search: Search } | undefined
  private count = 0

  constructor(private readonly openDevice: () => Promise<Device>) {}

  /** Looks for the messages that hold all words of a query, instead of what was looked for before. Answers what stops it. */
  search(search: Search): () => void {
    const id = ++this.count
    this.current = { id, search }
    this.ask(id, search).catch((error: unknown) => this.fail(id, storageError(error)))
    return () => {
      if (this.current?.id === id) this.current = undefined
    }
  }

  /** Ends the worker, and with it all that it knows. */
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
    this.say({ kind: 'search', id, query, limit })
  }

  private start(device: Device): Running {
    const worker = new Worker(trustedScriptUrl(new URL(workerUrl, location.href)), { type: 'module', name: 'search' })
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => this.take(data)
    worker.onerror = (event) => {
      this.drop()
      if (this.current) this.fail(this.current.id, new AppError('unknown', { cause: new Error(event.message) }))
    }
    const open: ToWorker = { kind: 'open', database: device.db.name, keys: device.vault.heldKeys, userId: device.userId }
    worker.postMessage(open)
    const stops = [onChange((change) => this.hear(change)), onSessionChange(() => this.drop())]
    return { device, worker, stopListening: () => stops.forEach((stop) => void stop()) }
  }

  private hear(change: Change): void {
    if (change.kind === 'messages' || change.kind === 'message') this.say({ kind: 'changed', channelId: change.channelId })
    else if (change.kind === 'channels' || change.kind === 'channel') this.say({ kind: 'changed', channelId: undefined })
    else this.drop()
  }

  private say(message: ToWorker): void {
    this.running?.worker.postMessage(message)
  }

  private take(message: FromWorker): void {
    if ('failure' in message) {
      // Its database was closed, by the browser or for an upgrade: the next search begins anew.
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
