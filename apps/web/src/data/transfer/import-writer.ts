import type { Channel, StorageMode } from '@parley/contract/channels'
import type { DataFileMetadata, DataType, ImportStrategy } from '@parley/contract/data-file'
import { AppError } from '@parley/contract/errors'
import { webLimits } from '@parley/contract/limits/web'
import type { ConversationCopy } from '@parley/contract/tree-copies'
import { affectsAllChannels } from '../channels/error-scope'
import { RefusedMessageError } from '../channels/fill-cloud'
import { isRecordError } from '../local/storage-error'
import { storedSession } from '../session/stored-session'
import { withSourceIds } from '../sources/source-copies'
import type { DataRecord, Entry, FileFormat, Problem, RecordType } from './entries'
import type { FileSource } from './file-sources'
import { copyOfFile, type FileMessage } from './file-trees'
import type { ImportHomes } from './import-homes'
import type { ImportSources } from './import-sources'
import { putDeviceRecord } from './record-store'
import { isUnfinished } from './unfinished-imports'

type Hash = Uint8Array<ArrayBuffer> | undefined

/** A file that passed the check. Nothing has been written. */
export type ImportFile = {
  file: File
  format: FileFormat
  metadata: DataFileMetadata | undefined
  /** Numbers of its entries; chats are counted by their messages. */
  counts: Record<DataType, number>
  /** The first unreadable entries. */
  problems: Problem[]
  channels: ReadonlyMap<string, Channel>
  /** By channel: the ids of the readable messages, and whether all of its messages are readable. */
  chats: ReadonlyMap<string, { ids: ReadonlySet<string>; isWhole: boolean }>
  /** By channel: its sources whose files are there. */
  sources: ReadonlyMap<string, readonly FileSource[]>
  hash: Hash
  /** The person who chose the file, and whose data it becomes. */
  userId: string | undefined
}

export type ImportChoice = { types: readonly DataType[]; strategy: ImportStrategy; target: StorageMode }

/**
 * The result of an import (document 3, section 3). Chats are counted by their messages; `errors` has the first entries
 * that were not imported.
 */
export type ImportSummary = {
  channelsImported: number
  chatsImported: number
  assistantsImported: number
  documentsImported: number
  usersImported: number
  errors: Problem[]
  skipped: number
  /** The number of replaced chats, which can be restored. */
  undoable: number
}

/** Writes what is chosen of a file, channel by channel. */
export class ImportWriter {
  readonly summary: ImportSummary
  /** The channels of the file that are not written yet. */
  private readonly waiting: Map<string, Channel>
  private readonly skippedChannels = new Set<string>()
  private readonly replacedChats = new Set<string>()
  private open: { channelId: string; messages: Map<string, FileMessage> } | undefined
  private readonly userId: string | undefined
  private readonly chats: ImportFile['chats']
  private readonly homes: ImportHomes
  private readonly sources: ImportSources
  private readonly signal: AbortSignal

  constructor(
    { channels, problems, userId, chats }: ImportFile,
    private readonly choice: ImportChoice,
    { homes, sources, signal }: { homes: ImportHomes; sources: ImportSources; signal: AbortSignal },
  ) {
    this.homes = homes
    this.sources = sources
    this.signal = signal
    this.userId = userId
    this.chats = chats
    this.waiting = new Map(this.wants('channels') ? channels : [])
    this.summary = {
      channelsImported: 0,
      chatsImported: 0,
      assistantsImported: 0,
      documentsImported: 0,
      usersImported: 0,
      errors: problems.filter(({ type }) => this.wants(type)),
      skipped: 0,
      undoable: 0,
    }
  }

  async add(entry: Entry): Promise<void> {
    if (entry.kind === 'record' && this.wants(entry.type)) {
      this.assertMayWrite()
      await this.writeRecord(entry.type, entry.record)
    }
    if (entry.kind !== 'message') return
    if (this.open?.channelId !== entry.channelId) {
      await this.close()
      this.open = { channelId: entry.channelId, messages: new Map() }
    }
    const { message, tree } = entry
    this.open.messages.set(message.mId, { message, ...(tree ? { tree } : {}) })
  }

  private async writeRecord(type: RecordType, record: DataRecord): Promise<void> {
    try {
      if (await putDeviceRecord(type, record, this.choice.strategy === 'overwrite')) this.summary[`${type}Imported`]++
      else this.summary.skipped++
    } catch (error) {
      if (!(error instanceof AppError && isRecordError(error))) throw error
      this.summary.skipped++
      this.problem(record.id, 'kept', type)
    }
  }

  async finish(): Promise<ImportSummary> {
    await this.close()
    for (const channelId of [...this.waiting.keys()]) await this.write(channelId, [])
    // Of channels that are here, and of which nothing else was imported.
    for (const channelId of this.sources.waiting()) await this.writeSources(channelId)
    const { added, known, problems } = this.sources
    this.summary.documentsImported += added
    this.summary.skipped += known
    for (const { label, reason } of problems) this.problem(label, reason, 'documents')
    return this.summary
  }

  private async writeSources(channelId: string): Promise<void> {
    this.assertMayWrite()
    const there = this.homes.find(channelId)
    if (there && this.choice.strategy !== 'skip') await this.sources.bring(there, channelId)
    else this.sources.passOver(channelId)
  }

  private async close(): Promise<void> {
    const open = this.open
    this.open = undefined
    if (open) await this.write(open.channelId, [...open.messages.values()])
  }

  private async write(channelId: string, messages: FileMessage[]): Promise<void> {
    this.assertMayWrite()
    const channel = this.waiting.get(channelId)
    this.waiting.delete(channelId)
    const there = this.homes.find(channelId)
    const given = copyOfFile(messages, channelId)
    try {
      const isLeft = this.choice.strategy === 'skip' && !isUnfinished(channelId)
      const copy = there && !isLeft ? withSourceIds(given, await this.sources.bring(there, channelId)) : given
      if (there?.isLocked && this.choice.strategy === 'overwrite' && this.isUntouched(channelId)) this.refuse(there)
      else if (channel) await this.writeChannel(channel, there, copy)
      else await this.writeChat(channelId, there, copy)
    } catch (error) {
      if (!(error instanceof AppError) || affectsAllChannels(error)) throw error
      const label = channel?.channelName ?? channelId
      if (isRecordError(error)) return this.problem(label, 'kept')
      this.problem(
        error instanceof RefusedMessageError ? `${label}, “${error.question}”` : label,
        error.status === 423 ? 'locked' : 'failed',
      )
    }
  }

  private async writeChannel(channel: Channel, there: Channel | undefined, copy: ConversationCopy): Promise<void> {
    if (!there) {
      await this.homes.create(channel, copy, this.sources)
      this.summary.channelsImported++
      this.summary.chatsImported += copy.exchanges.length
    } else if (this.choice.strategy === 'overwrite') {
      const isWhole = this.chats.get(channel.id)?.isWhole ?? false
      await this.homes.replace(there, channel, this.wants('chats') && isWhole ? copy : undefined)
      this.summary.channelsImported++
      if (!isWhole) return this.addInstead(channel.id, there, copy)
      this.summary.chatsImported += copy.exchanges.length
    } else if (isUnfinished(channel.id)) {
      this.summary.channelsImported++
      this.summary.chatsImported += await this.homes.add(there, copy)
    } else {
      this.summary.skipped++
      if (this.choice.strategy === 'merge') this.summary.chatsImported += await this.homes.add(there, copy)
      else this.skippedChannels.add(channel.id)
    }
    this.replacedChats.add(channel.id)
  }

  /** Imports messages whose channel is not in the file, or a further part of a chat. */
  private async writeChat(channelId: string, there: Channel | undefined, copy: ConversationCopy): Promise<void> {
    if (!there || this.skippedChannels.has(channelId)) {
      this.summary.skipped += there ? 0 : copy.exchanges.length
      return
    }
    if (this.choice.strategy === 'overwrite' && this.isUntouched(channelId) && this.chats.get(channelId)?.isWhole) {
      await this.homes.replace(there, there, copy)
      this.summary.chatsImported += copy.exchanges.length
    } else {
      const added = await this.homes.add(there, copy)
      this.summary.chatsImported += added
      this.summary.skipped += copy.exchanges.length - added
    }
    this.replacedChats.add(channelId)
  }

  /** A chat with unreadable messages in the file replaces none: only the missing messages are added. */
  private async addInstead(channelId: string, there: Channel, copy: ConversationCopy): Promise<void> {
    this.replacedChats.add(channelId)
    if (!this.wants('chats') || !this.chats.has(channelId)) return
    this.summary.chatsImported += await this.homes.add(there, copy)
    this.problem(there.channelName, 'incomplete')
  }

  private isUntouched(channelId: string): boolean {
    return !this.replacedChats.has(channelId)
  }

  private refuse({ id, channelName }: Channel): void {
    this.skippedChannels.add(id)
    this.replacedChats.add(id)
    this.summary.skipped++
    this.problem(channelName, 'locked')
  }

  private problem(label: string, reason: Problem['reason'], type: DataType = 'channels'): void {
    if (this.summary.errors.length < webLimits.transfer.shownErrors) this.summary.errors.push({ type, label, reason })
  }

  private wants(type: DataType): boolean {
    return this.choice.types.includes(type)
  }

  /** An import may end between two channels; and it must never continue in another person's store. */
  private assertMayWrite(): void {
    this.signal.throwIfAborted()
    if (storedSession()?.user.id !== this.userId) throw new AppError('transfer.no-user')
  }
}
