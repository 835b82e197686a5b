import { AppError } from '@parley/contract/errors'
import { limits } from '@parley/contract/limits/shared'
import type { Source, SourceProgress } from '@parley/contract/sources'
import { uuidv7 } from '@parley/contract/uuid'
import { type announce, type Change, onChange } from '../local/changes'
import type { Device } from '../local/device'
import { documentId } from '../local/source-keys'
import { readPieces, type StoredSource } from '../local/source-records'
import { storageError } from '../local/storage-error'
import { withTabLock } from '../local/tab-lock'
import { changeSources, removeUnendedReading, storedSource, writePart } from './device-sources'
import { type FetchPage, fetchPage } from './fetch-page'
import type { ReadResult } from './read-source'
import type { ReaderWorkerPort } from './reader-worker-port'
import { failed, isUnread, unfinished } from './source-state'
import type { SourceRef } from './source-store'

type Options = {
  open: () => Promise<Device>
  reader: ReaderWorkerPort
  announce: typeof announce
  fetchPage?: FetchPage | undefined
}
/** `isAskedAgain`: it was cancelled and is to be read all the same, as soon as it has ended. */
type Job = { ref: SourceRef; controller: AbortController; progress?: SourceProgress; isAskedAgain?: boolean }

/** How often the progress of a source is told at most. */
const progressMs = 250

/**
 * Reads the sources of a vault that were not read yet, from their sealed files: what the end of a tab interrupts begins
 * anew in the next one that looks at it, and a tab lock keeps two from reading the same one.
 */
export class DeviceReading {
  private readonly open: () => Promise<Device>
  private readonly reader: ReaderWorkerPort
  private readonly announce: typeof announce
  private readonly fetchPage: FetchPage
  private readonly jobs = new Map<string, Job>()
  private stopListening: (() => void) | undefined

  constructor({ open, reader, announce, fetchPage: fetch = fetchPage }: Options) {
    this.fetchPage = fetch
    this.open = open
    this.reader = reader
    this.announce = announce
  }

  /** Reads a source, unless this tab does so already. It waits while another tab reads it. */
  start({ id, channelId }: SourceRef): void {
    const key = documentId({ id, channelId })
    const known = this.jobs.get(key)
    if (known) {
      known.isAskedAgain = known.controller.signal.aborted
      return
    }
    const job: Job = { ref: { id, channelId }, controller: new AbortController() }
    this.jobs.set(key, job)
    this.stopListening ??= onChange((change) => this.onChange(change))
    void this.run(job)
      .catch(() => undefined)
      .finally(() => {
        this.jobs.delete(key)
        if (job.isAskedAgain) this.start(job.ref)
        if (this.jobs.size > 0) return
        this.stopListening?.()
        this.stopListening = undefined
      })
  }

  /** Runs an action while nobody reads this source: it is not whole yet. */
  whileHeld<T>(contentId: string, action: () => Promise<T>): Promise<T> {
    return withTabLock(`source-${contentId}`, action)
  }

  withProgress(source: Source): Source {
    const progress = this.jobs.get(documentId(source))?.progress
    return progress && isUnread(source) ? { ...source, progress } : source
  }

  private async run(job: Job): Promise<void> {
    const { contentId } = await storedSource(await this.open(), job.ref)
    await this.whileHeld(contentId, async () => {
      // Another tab may have read or removed it meanwhile.
      const stored = await storedSource(await this.open(), job.ref)
      if (!isUnread(stored.source) || job.controller.signal.aborted) return
      try {
        await this.read(job)
      } catch (error) {
        await this.fail(job, error)
      }
      // Where that cannot be done now, as in a closed vault, the next reading begins with it.
      await this.removeUnended(job).catch(() => undefined)
      this.announce({ kind: 'sources', channelId: job.ref.channelId })
    })
  }

  private async read(job: Job): Promise<void> {
    const [stored] = await changeSources(this.open, [job.ref], (now) =>
      isUnread(now.source) ? { ...now, source: { ...now.source, status: 'processing' } } : undefined,
    )
    if (!stored) return
    this.announce({ kind: 'sources', channelId: stored.source.channelId, source: stored.source })
    await removeUnendedReading(this.open, stored)
    await this.store(
      stored,
      await (stored.source.url === undefined ? this.readFile(job, stored) : this.readLink(job, stored)),
    )
  }

  private async readLink({ controller: { signal } }: Job, { source }: StoredSource): Promise<ReadResult> {
    const { title, type, mediaType, fetchedAt, document } = await this.fetchPage(source.url ?? '', signal)
    const { facts, ...texts } = await this.reader.call({ kind: 'index', document }, { signal })
    const name = title.slice(0, limits.sources.maxNameLength)
    return { ...texts, facts: { ...facts, name, type, mediaType, fetchedAt } }
  }

  private async readFile(job: Job, { source, contentId, file: part }: StoredSource): Promise<ReadResult> {
    // The tab that stored it was closed in the middle.
    if (!part) throw new AppError(unfinished)
    const { signal } = job.controller
    const device = await this.open()
    const pieces: Uint8Array<ArrayBuffer>[] = []
    for await (const piece of readPieces(device, contentId, part)) pieces.push(piece)
    const { name, mediaType } = source
    const file = new Blob(pieces, { type: mediaType })
    return this.reader.call({ kind: 'read', file, name, mediaType }, { signal, onProgress: this.teller(job, source) })
  }

  private async store(stored: StoredSource, result: ReadResult): Promise<void> {
    const reading = uuidv7()
    const text = await writePart(this.open, stored, `text-${reading}`, result.text)
    const passages = await writePart(this.open, stored, `passages-${reading}`, result.passages)
    await changeSources(this.open, [stored.source], (now) => {
      if (!isUnread(now.source)) return undefined
      const { progress: _progress, ...source } = now.source
      return { ...now, text, passages, source: { ...source, ...result.facts, status: 'processed' } }
    })
  }

  private async fail({ ref, controller }: Job, error: unknown): Promise<void> {
    const { code } = storageError(error)
    // It was cancelled or removed, or the vault is closed: then it is read when the vault is open again.
    if (controller.signal.aborted || code.startsWith('vault.') || code === 'source.not-found') return
    const reason = code === 'storage.unavailable' && !(error instanceof AppError) ? 'source.unreadable' : code
    await changeSources(this.open, [ref], (now) => (isUnread(now.source) ? failed(now, reason) : undefined))
  }

  /** What a reading has written that was cancelled meanwhile, or that failed. */
  private async removeUnended({ ref }: Job): Promise<void> {
    const stored = await storedSource(await this.open(), ref)
    if (stored.source.status !== 'processed') await removeUnendedReading(this.open, stored)
  }

  private teller(job: Job, source: Source): (progress: SourceProgress) => void {
    let toldAt = Number.NEGATIVE_INFINITY
    return (progress) => {
      job.progress = progress
      if (performance.now() - toldAt < progressMs) return
      toldAt = performance.now()
      this.announce({ kind: 'sources', channelId: source.channelId, source: { ...source, progress } })
    }
  }

  private onChange(change: Change): void {
    switch (change.kind) {
      case 'vault-locked':
      case 'leaving':
        for (const { controller } of this.jobs.values()) controller.abort()
        return
      case 'sources':
        if (!change.source) this.check(({ channelId }) => channelId === change.channelId)
        return
      case 'messages':
        this.check(({ channelId }) => channelId === change.channelId)
        return
      case 'channels':
      case 'vault':
        this.check(() => true)
        return
      default:
    }
  }

  /** Ends the reading of sources that were cancelled or removed, in whichever tab. */
  private check(isAffected: (ref: SourceRef) => boolean): void {
    for (const { ref, controller } of this.jobs.values()) {
      if (!isAffected(ref)) continue
      this.open()
        .then((device) => storedSource(device, ref))
        .then(
          ({ source }) => isUnread(source) || controller.abort(),
          (error: unknown) => storageError(error).code === 'source.not-found' && controller.abort(),
        )
        .catch(() => undefined)
    }
  }
}
