import { AppError } from '@parley/contract/errors'
import { limits } from '@parley/contract/limits/shared'
import { webLimits } from '@parley/contract/limits/web'
import { type Source, sourceRoutes } from '@parley/contract/sources'
import { uuidv7 } from '@parley/contract/uuid'
import { api } from '../api/api'
import { announceHere } from '../local/changes'
import { isPassing, type Uploaded, uploadFile } from './cloud-upload'
import { mediaTypeOf } from './file-rules'

/** `source`: what stands for it in the list of its channel until the server has it whole. */
type Entry = { source: Source; file: File; uploadId?: string; controller: AbortController }

/** The files that this page brings into cloud channels, a few at a time. They are sources of their own meanwhile. */
export class UploadQueue {
  private readonly entries = new Map<string, Entry>()
  private readonly waiting: (() => void)[] = []
  private running = 0

  /**
   * Throws what the server says of the file, source.cancelled, and network where it has been away for long: those two
   * can be tried again.
   */
  add(channelId: string, file: File, sha256: string): Promise<Uploaded> {
    const source: Source = {
      ...{ id: uuidv7(), channelId, type: 'document', name: file.name.slice(0, limits.sources.maxNameLength) },
      ...{ mediaType: mediaTypeOf(file), bytes: file.size, sha256, status: 'queued', isActive: true, notices: [] },
      addedAt: new Date().toISOString(),
    }
    const same = [...this.entries.values()].find(
      (entry) => entry.source.channelId === channelId && entry.source.sha256 === sha256,
    )
    // The file that is added again takes the place of one that failed; of one that is on its way it finds the same end.
    if (same?.source.status === 'failed') this.entries.delete(same.source.id)
    const entry: Entry = { source, file, controller: new AbortController() }
    this.entries.set(source.id, entry)
    return this.run(entry)
  }

  has(id: string): boolean {
    return this.entries.has(id)
  }

  /** Those of a channel. Two of the same file are one. */
  of(channelId: string): Source[] {
    const own = [...this.entries.values()].map(({ source }) => source).filter((each) => each.channelId === channelId)
    return own.filter(({ sha256 }, index) => own.findIndex((each) => each.sha256 === sha256) === index)
  }

  cancel(id: string): void {
    const entry = this.entries.get(id)
    if (!entry || entry.source.status === 'failed') return
    entry.controller.abort()
    this.change(entry, { status: 'failed', reason: 'source.cancelled' })
  }

  retry(id: string): void {
    const entry = this.entries.get(id)
    if (entry?.source.status !== 'failed') return
    entry.controller = new AbortController()
    const { reason: _reason, ...source } = entry.source
    entry.source = source
    this.change(entry, { status: 'queued' })
    // Its row says how it ends.
    this.run(entry).catch(() => undefined)
  }

  /** With what the server has of it, as far as that can be reached now; the rest goes there by itself. */
  async remove(id: string): Promise<void> {
    const entry = this.entries.get(id)
    if (!entry) return
    this.drop(entry)
    entry.controller.abort()
    if (entry.uploadId !== undefined)
      await api(sourceRoutes.cancelUpload, { params: { id: entry.uploadId } }).catch(() => undefined)
  }

  /** Ends all of it. */
  end(): void {
    for (const { controller } of this.entries.values()) controller.abort()
    this.entries.clear()
  }

  private async run(entry: Entry): Promise<Uploaded> {
    const { source, file, controller } = entry
    this.tell(entry, 0)
    announceHere({ kind: 'sources', channelId: source.channelId })
    await this.turn()
    try {
      const uploaded = await uploadFile(
        { channelId: source.channelId, name: source.name, sha256: source.sha256, content: file },
        {
          signal: controller.signal,
          onProgress: (bytes) => this.tell(entry, bytes),
          onBegun: (uploadId) => {
            entry.uploadId = uploadId
          },
        },
      )
      this.drop(entry)
      return uploaded
    } catch (error) {
      // It was cancelled, which its row says already; or it has been tried again since.
      if (controller.signal.aborted) throw new AppError('source.cancelled')
      if (error instanceof AppError && isPassing(error)) this.change(entry, { status: 'failed', reason: error.code })
      else this.drop(entry)
      throw error
    } finally {
      this.running--
      this.waiting.shift()?.()
    }
  }

  /** Resolves when few enough are sent. */
  private async turn(): Promise<void> {
    while (this.running >= webLimits.sources.uploadsAtOnce)
      await new Promise<void>((resolve) => {
        this.waiting.push(resolve)
      })
    this.running++
  }

  private tell(entry: Entry, done: number): void {
    if (entry.source.status === 'failed') return
    entry.source = { ...entry.source, progress: { done, of: entry.source.bytes, unit: 'bytes' } }
    announceHere({ kind: 'sources', channelId: entry.source.channelId, source: entry.source })
  }

  private change(entry: Entry, fields: Partial<Source>): void {
    const { progress: _progress, ...source } = entry.source
    entry.source = { ...source, ...fields }
    announceHere({ kind: 'sources', channelId: source.channelId })
  }

  private drop({ source }: Entry): void {
    this.entries.delete(source.id)
    announceHere({ kind: 'sources', channelId: source.channelId })
  }
}
