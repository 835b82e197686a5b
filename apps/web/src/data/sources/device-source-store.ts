import { AppError } from '@parley/contract/errors'
import { limits } from '@parley/contract/limits/shared'
import { ReadDocument } from '@parley/contract/read-document'
import type { Source, SourceProgress } from '@parley/contract/sources'
import { uuidv7 } from '@parley/contract/uuid'
import * as z from 'zod/mini'
import { announce, announceHere, onChange } from '../local/changes'
import type { Device } from '../local/device'
import { readPieces, type StoredPart, type StoredSource } from '../local/source-records'
import { orStorageError } from '../local/storage-error'
import { withTabLock } from '../local/tab-lock'
import { inflated } from './deflate'
import { chooseSources, type SourceChoice, type SourceQuestion } from './device-choice'
import { DeviceReading } from './device-reading'
import {
  addSource,
  changeSources,
  listSources,
  moveSources,
  removeSource,
  storedSource,
  writePart,
} from './device-sources'
import { DeviceVectors } from './device-vectors'
import type { FetchPage } from './fetch-page'
import { assertAcceptable, mediaTypeOf } from './file-rules'
import { linkOf } from './link-rules'
import type { Meaning } from './meaning'
import { ReaderWorkerPort } from './reader-worker-port'
import { failed, isUnfinished, isUnread } from './source-state'
import type { Added, SourceRef, SourceStore, SourceSwitch } from './source-store'
import { whenAllRead } from './when-read'

/**
 * `isOfTab`: nobody else can read it. `hasChannel`: whether a channel of this id has to exist; a draft has none.
 * `meaning`: passages are found by what they mean, too, where the person wants it; `pauseMs`: see DeviceVectors.
 */
type Options = {
  open: () => Promise<Device>
  isOfTab?: boolean
  hasChannel?: (channelId: string) => boolean
  startReader?: () => Worker
  fetchPage?: FetchPage
  meaning?: Meaning
  pauseMs?: number
  now?: () => Date
}

/** The sources of this device: file, text and passages are sealed in its vault like messages. */
export class DeviceSourceStore implements SourceStore {
  private readonly open: () => Promise<Device>
  private readonly announce: typeof announce
  private readonly hasChannel: (channelId: string) => boolean
  private readonly now: () => Date
  private readonly digester: ReaderWorkerPort
  private readonly searcher: ReaderWorkerPort
  private readonly reading: DeviceReading
  private readonly vectors: DeviceVectors | undefined
  private stopWatching: (() => void) | undefined
  /** When the last one was added, in milliseconds. */
  private lastAddedMs = 0

  constructor({
    open,
    isOfTab = false,
    hasChannel = () => true,
    startReader,
    fetchPage,
    meaning,
    pauseMs,
    now = () => new Date(),
  }: Options) {
    this.open = open
    this.announce = isOfTab ? announceHere : announce
    this.hasChannel = hasChannel
    this.now = now
    // A reader of its own: a new file is stored while another one is read.
    this.digester = new ReaderWorkerPort({ start: startReader })
    // So has a question, which would otherwise wait for all files that are read.
    this.searcher = new ReaderWorkerPort({ start: startReader, isKept: true })
    const reader = new ReaderWorkerPort({ start: startReader })
    this.reading = new DeviceReading({ open, reader, announce: this.announce, fetchPage })
    this.vectors = meaning && new DeviceVectors({ open, meaning, startReader, pauseMs })
  }

  async list(channelId: string): Promise<Source[]> {
    const sources = await orStorageError(async () => listSources(await this.open(), channelId))
    // One that was being read when its tab was closed is read again by whoever looks at it.
    for (const source of sources) if (isUnread(source)) this.reading.start(source)
    if (sources.some(({ status }) => status === 'processed')) this.vectors?.start(channelId)
    return sources.map((source) => this.reading.withProgress(source))
  }

  async addFile(channelId: string, file: File): Promise<Added> {
    assertAcceptable(file)
    const sha256 = await this.digester.call({ kind: 'digest', file })
    const stored = this.newSource(channelId, {
      ...{ type: 'document', name: file.name.slice(0, limits.sources.maxNameLength), sha256 },
      ...{ mediaType: mediaTypeOf(file), bytes: file.size },
    })
    const { source } = stored
    return this.add(stored, async () => {
      const part = await writePart(this.open, stored, 'file', file, (done) =>
        this.tell(source, { done, of: file.size, unit: 'bytes' }),
      )
      await changeSources(this.open, [source], (now) => ({ ...now, file: part }))
    })
  }

  async addLink(channelId: string, given: string): Promise<Added> {
    const { url, type } = linkOf(given)
    const sha256 = await this.digester.call({ kind: 'digest', file: new Blob([url]) })
    const stored = this.newSource(channelId, { type, name: url, url, mediaType: 'text/html', bytes: 0, sha256 })
    return this.add(stored, () => Promise.resolve())
  }

  async remove(ref: SourceRef): Promise<void> {
    await orStorageError(() => removeSource(this.open, ref))
    this.changed(ref.channelId)
  }

  async cancel(ref: SourceRef): Promise<void> {
    await this.change([ref], (stored) => (isUnread(stored.source) ? failed(stored, 'source.cancelled') : undefined))
  }

  async retry(ref: SourceRef): Promise<void> {
    const [source] = await this.change([ref], (stored) => {
      const { reason: _reason, ...rest } = stored.source
      return rest.status === 'failed' ? { ...stored, source: { ...rest, status: 'queued' } } : undefined
    })
    if (source) this.reading.start(source)
  }

  async saveSwitches(channelId: string, switches: readonly SourceSwitch[]): Promise<void> {
    const wanted = new Map(switches.map(({ id, isActive }) => [id, isActive]))
    const refs = switches.map(({ id }) => ({ channelId, id }))
    await this.change(refs, (stored) => {
      const { id, status } = stored.source
      return status === 'processed'
        ? { ...stored, source: { ...stored.source, isActive: wanted.get(id) ?? true } }
        : undefined
    })
  }

  async document(ref: SourceRef): Promise<ReadDocument> {
    const { part, pieces } = await this.partOf(ref, ({ text, source }) => {
      if (!text && isUnread(source)) throw new AppError('source.busy')
      return text
    })
    return orStorageError(async () => {
      const { success, data } = z.safeParse(ReadDocument, JSON.parse(await inflated(new Blob(pieces))))
      if (!success || !part) throw new AppError('storage.unreadable')
      return data
    })
  }

  async file(ref: SourceRef): Promise<Blob> {
    const { pieces, source } = await this.partOf(ref, ({ file }) => file)
    return new Blob(pieces, { type: source.mediaType })
  }

  /**
   * What of the active sources of a channel that are read goes along with a question; undefined where there is none.
   * Whoever asks waits for those that are being read, or does not.
   */
  choose(channelId: string, asked: SourceQuestion): Promise<SourceChoice | undefined> {
    this.watchVault()
    const { vectors } = this
    const vectorOf = vectors && ((question: string) => vectors.ofQuestion(question))
    return orStorageError(async () =>
      chooseSources(await this.open(), this.searcher, channelId, asked, vectorOf),
    ).finally(
      // The server may have another model by now.
      () => vectors?.start(channelId),
    )
  }

  /** Gives all sources of a channel, or of a draft, to another channel of this store. */
  async move(from: string, to: string): Promise<void> {
    const count = await orStorageError(() => moveSources(this.open, from, to))
    if (count === 0) return
    this.changed(from)
    this.changed(to)
  }

  /**
   * Resolves when no source of a channel is being read any more. Throws source.cancelled when the signal is aborted.
   */
  whenRead(channelId: string, signal?: AbortSignal): Promise<void> {
    return whenAllRead(channelId, (id) => this.list(id), { signal })
  }

  /** What was given to the searcher can be read: it ends with the vault's closing. */
  private watchVault(): void {
    this.stopWatching ??= onChange(({ kind }) => {
      if (kind !== 'vault-locked' && kind !== 'leaving' && kind !== 'vault') return
      this.searcher.drop()
      this.stopWatching?.()
      this.stopWatching = undefined
    })
  }

  private partOf(
    ref: SourceRef,
    partOf: (stored: StoredSource) => StoredPart | undefined,
  ): Promise<{ part: StoredPart; pieces: Uint8Array<ArrayBuffer>[]; source: Source }> {
    return orStorageError(async () => {
      const device = await this.open()
      const stored = await storedSource(device, ref)
      const part = partOf(stored)
      if (!part) throw new AppError('source.not-found')
      const pieces: Uint8Array<ArrayBuffer>[] = []
      for await (const piece of readPieces(device, stored.contentId, part)) pieces.push(piece)
      return { part, pieces, source: stored.source }
    })
  }

  private newSource(
    channelId: string,
    fields: Pick<Source, 'type' | 'name' | 'mediaType' | 'bytes' | 'sha256' | 'url'>,
  ): StoredSource {
    // What is added within a millisecond, or after the clock was set back, keeps its order.
    this.lastAddedMs = Math.max(this.now().getTime(), this.lastAddedMs + 1)
    const source: Source = {
      ...{ id: uuidv7(), channelId, ...fields, status: 'queued', isActive: true, notices: [] },
      addedAt: new Date(this.lastAddedMs).toISOString(),
    }
    return { source, contentId: uuidv7() }
  }

  /** The same file twice in a channel is one source. It is locked until it is whole. */
  private add(stored: StoredSource, store: () => Promise<void>): Promise<Added> {
    return this.reading.whileHeld(stored.contentId, () => this.addWhileHeld(stored, store))
  }

  private async addWhileHeld(stored: StoredSource, store: () => Promise<void>): Promise<Added> {
    const { source } = stored
    const { channelId } = source
    const known = await orStorageError(() =>
      withTabLock(`sources-${channelId}`, async () => {
        const others = await listSources(await this.open(), channelId)
        const same = others.find(({ sha256 }) => sha256 === source.sha256)
        if (same && !isUnfinished(same)) return same
        if (same) await removeSource(this.open, same)
        if (others.length - (same ? 1 : 0) >= limits.sources.maxPerChannel) throw new AppError('source.too-many')
        await addSource(this.open, stored, this.hasChannel(channelId))
        return undefined
      }),
    )
    if (known) return { source: known, isKnown: true }
    this.changed(channelId)
    try {
      await orStorageError(store)
    } catch (error) {
      // What was not stored whole must not stay as something that cannot be read.
      await removeSource(this.open, source).catch(() => undefined)
      this.changed(channelId)
      throw error
    }
    this.changed(channelId)
    this.reading.start(source)
    return { source, isKnown: false }
  }

  private async change(
    refs: readonly SourceRef[],
    change: (stored: StoredSource) => StoredSource | undefined,
  ): Promise<Source[]> {
    const changed = await orStorageError(() => changeSources(this.open, refs, change))
    const [{ channelId } = { channelId: undefined }] = refs
    if (channelId !== undefined) this.changed(channelId)
    return changed.map(({ source }) => source)
  }

  private changed(channelId: string): void {
    this.announce({ kind: 'sources', channelId })
  }

  private tell(source: Source, progress: SourceProgress): void {
    this.announce({ kind: 'sources', channelId: source.channelId, source: { ...source, progress } })
  }
}
