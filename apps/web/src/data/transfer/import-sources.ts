import type { Channel } from '@parley/contract/channels'
import { AppError } from '@parley/contract/errors'
import { putInCloud, sourcesInCloud } from '../channels/cloud-source-copies'
import { affectsAllChannels } from '../channels/error-scope'
import { modeOf } from '../channels/homes'
import { announce } from '../local/changes'
import { isRecordError } from '../local/storage-error'
import { putOnDevice } from '../sources/device-copies'
import { removeSource } from '../sources/device-sources'
import { ReaderWorkerPort } from '../sources/reader-worker-port'
import { contentOf, noteId, RefusedSourceError, type SourceCopy } from '../sources/source-copies'
import type { SourceIds } from '../sources/source-ids'
import type { SourceRef } from '../sources/source-store'
import { openDevice } from '../vault/open-device'
import type { Problem } from './entries'
import { copyOfFileSource, type FileSource, type ReadEntry } from './file-sources'

type Place = Pick<Channel, 'id' | 'source'>
type Put = { id: string; isKnown: boolean }

/**
 * The sources of a file on their way into channels. They are only ever added: a channel that has the same file, or the
 * same address, keeps its own, and what cites them is told its id.
 */
export class ImportSources {
  added = 0
  known = 0
  readonly problems: Pick<Problem, 'label' | 'reason'>[] = []
  private readonly ids = new Map<string, SourceIds>()
  private readonly reader = new ReaderWorkerPort()

  constructor(
    private readonly sources: ReadonlyMap<string, readonly FileSource[]>,
    private readonly options: { read: ReadEntry; signal: AbortSignal },
  ) {}

  /** The channels of the file whose sources have not been brought anywhere. */
  waiting(): string[] {
    return [...this.sources.keys()].filter((channelId) => !this.ids.has(channelId))
  }

  /** The person wants this channel left as it is. */
  passOver(channelId: string): void {
    this.known += this.sources.get(channelId)?.length ?? 0
    this.ids.set(channelId, new Map())
  }

  /**
   * Brings the sources of a channel of the file, `channelId`, into a channel, once. One that cannot be brought is told
   * in `problems`. Answers the ids that they have there. Throws AppError where nothing more can be written.
   */
  async bring(to: Place, channelId: string): Promise<SourceIds> {
    const before = this.ids.get(channelId)
    if (before) return before
    const ids = new Map<string, string>()
    this.ids.set(channelId, ids)
    const sources = this.sources.get(channelId) ?? []
    const added: SourceRef[] = []
    for (const source of sources) {
      this.options.signal.throwIfAborted()
      const put = await this.put(to, source, added)
      if (put) noteId(ids, source, put.id)
      if (put?.isKnown) this.known++
      else if (put) this.added++
    }
    if (sources.length > 0) announce({ kind: 'sources', channelId: to.id })
    return ids
  }

  private async put(to: Place, source: FileSource, added: SourceRef[]): Promise<Put | undefined> {
    const copy = copyOfFileSource(source, this.options.read)
    try {
      if (modeOf(to) === 'cloud') return await this.putInCloud(to.id, copy)
      const made = await putOnDevice({ open: openDevice, reader: this.reader }, to.id, copy)
      if (!made.isKnown) added.push(made.source)
      return { id: made.source.id, isKnown: made.isKnown }
    } catch (error) {
      const reason = error instanceof RefusedSourceError ? error.reason : error
      if (!(reason instanceof AppError) || (affectsAllChannels(reason) && !isRecordError(reason))) {
        for (const ref of added) await removeSource(openDevice, ref).catch(() => undefined)
        throw reason
      }
      const isBroken = reason.code.startsWith('transfer.') || reason.code === 'source.upload-damaged'
      this.problems.push({ label: source.name, reason: isBroken ? 'unreadable' : 'failed' })
      return undefined
    }
  }

  private async putInCloud(channelId: string, copy: SourceCopy): Promise<Put> {
    const { signal } = this.options
    const there = await sourcesInCloud(channelId, signal)
    const same = there.find((each) => contentOf(each) === contentOf(copy.source))
    if (same) return { id: same.id, isKnown: true }
    // Nobody has asked for the address yet: see copyOfFileSource.
    if (copy.source.type !== 'document' && !copy.text) throw new AppError('source.cancelled')
    return { id: (await putInCloud(channelId, copy, signal)).id, isKnown: false }
  }
}
