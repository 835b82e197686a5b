import type { Channel, StorageMode } from '@parley/contract/channels'
import type { Message } from '@parley/contract/chat'
import type { DataFileMetadata, DataType, ImportStrategy } from '@parley/contract/data-file'
import { AppError } from '@parley/contract/errors'
import { limits } from '@parley/contract/limits'
import { RefusedMessageError } from '../channels/fill-cloud'
import { isOfOneRecord, stopsEverything } from '../channels/stops-everything'
import { announce } from '../local/changes'
import { passphraseSecret } from '../local/passphrase'
import { storedSession } from '../session/stored-session'
import type { DataRecord, Entry, FileFormat, Problem, RecordType } from './entries'
import { ImportHomes } from './import-homes'
import { lockOf } from './open-file'
import { readFile } from './read-file'
import { putDeviceRecord } from './record-store'
import { isUnfinished } from './unfinished-imports'

type Hash = Uint8Array<ArrayBuffer> | undefined
type Work = { onProgress: (done: number, total: number) => void; signal: AbortSignal }

/** A file that was read to its end and found good. Nothing has been written. */
export type GoodFile = {
  file: File
  format: FileFormat
  metadata: DataFileMetadata | undefined
  /** What is in it; chats are counted by their messages. */
  counts: Record<DataType, number>
  /** The first of what cannot be read in it. */
  problems: Problem[]
  channels: ReadonlyMap<string, Channel>
  /** By channel: the ids of the messages that can be read, and whether that is all of them. */
  chats: ReadonlyMap<string, { ids: ReadonlySet<string>; isWhole: boolean }>
  hash: Hash
  /** Who is to get it: the person who chose it. */
  userId: string | undefined
}

export type ImportChoice = { types: readonly DataType[]; strategy: ImportStrategy; target: StorageMode }

/** What an import did (document 3, section 3). Chats are counted by their messages; `errors` holds the first of what was not taken. */
export type ImportSummary = {
  channelsImported: number
  chatsImported: number
  assistantsImported: number
  documentsImported: number
  usersImported: number
  errors: Problem[]
  skipped: number
  /** How many chats were replaced, and can be brought back. */
  undoable: number
}

/** Whether a file asks for a passphrase. Throws AppError where it is broken. */
export async function isProtected(file: File): Promise<boolean> {
  return (await lockOf(file)) !== undefined
}

/** Reads the whole file and tells what is in it. Throws AppError: then it is no file to import. */
export async function checkFile(file: File, passphrase: string | undefined, { onProgress, signal }: Work): Promise<GoodFile> {
  const hash = await hashFor(file, passphrase)
  signal.throwIfAborted()
  const counts = { channels: 0, chats: 0, assistants: 0, documents: 0, users: 0 }
  const channels = new Map<string, Channel>()
  const problems: Problem[] = []
  const ids = new Map<string, Set<string>>()
  const broken = new Set<string>()
  const { format, metadata } = await readFile(file, {
    hash,
    withMessages: false,
    signal,
    onBatch: ({ entries, messages, done, total }) => {
      counts.chats += messages
      for (const entry of entries) {
        if (entry.kind === 'problem' && problems.length < limits.transfer.shownErrors) problems.push(entry.problem)
        if (entry.kind === 'problem' && entry.channelId !== undefined) broken.add(entry.channelId)
        if (entry.kind === 'chat' && !ids.has(entry.channelId)) ids.set(entry.channelId, new Set())
        if (entry.kind === 'message-id') ids.get(entry.channelId)?.add(entry.mId)
        if (entry.kind === 'record') counts[entry.type]++
        if (entry.kind === 'channel' && !channels.has(entry.channel.id)) channels.set(entry.channel.id, entry.channel)
      }
      onProgress(done, total)
    },
  })
  counts.channels = channels.size
  const chats = new Map([...ids].map(([channelId, each]) => [channelId, { ids: each, isWhole: !broken.has(channelId) }]))
  return { file, format, metadata, counts, problems, channels, chats, hash, userId: storedSession()?.user.id }
}

/**
 * Writes what was chosen of a good file, channel by channel. Cancelled or cut off, it leaves whole channels, and the same file can be imported again. Throws
 * AppError where nothing more can be written, such as on a full device; one channel that fails does not stop the others.
 */
export async function importData(good: GoodFile, choice: ImportChoice, { onProgress, signal }: Work): Promise<ImportSummary> {
  if (choice.types.length === 0) throw new AppError('transfer.nothing-selected')
  const homes = await ImportHomes.open(choice.target, signal)
  const writer = new ImportWriter(good, choice, homes, signal)
  try {
    await readFile(good.file, {
      hash: good.hash,
      withMessages: choice.types.includes('chats'),
      signal,
      onBatch: async ({ entries, done, total }) => {
        for (const entry of entries) await writer.take(entry)
        onProgress(done, total)
      },
    })
    const summary = await writer.finish()
    return { ...summary, undoable: homes.undoable }
  } finally {
    announce({ kind: 'channels' })
  }
}

async function hashFor(file: File, passphrase: string | undefined): Promise<Hash> {
  const lock = await lockOf(file)
  if (!lock) return undefined
  if (passphrase === undefined) throw new AppError('transfer.passphrase-needed')
  return passphraseSecret(passphrase, lock.passphrase)
}

class ImportWriter {
  readonly summary: ImportSummary
  /** Of the file, not yet written. */
  private readonly waiting: Map<string, Channel>
  private readonly skippedChannels = new Set<string>()
  private readonly replacedChats = new Set<string>()
  private open: { channelId: string; messages: Map<string, Message> } | undefined
  private readonly userId: string | undefined
  private readonly chats: GoodFile['chats']

  constructor(
    { channels, problems, userId, chats }: GoodFile,
    private readonly choice: ImportChoice,
    private readonly homes: ImportHomes,
    private readonly signal: AbortSignal,
  ) {
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

  async take(entry: Entry): Promise<void> {
    if (entry.kind === 'record' && this.wants(entry.type)) {
      this.assertMayWrite()
      await this.writeRecord(entry.type, entry.record)
    }
    if (entry.kind !== 'message') return
    if (this.open?.channelId !== entry.channelId) {
      await this.close()
      this.open = { channelId: entry.channelId, messages: new Map() }
    }
    this.open.messages.set(entry.message.mId, entry.message)
  }

  private async writeRecord(type: RecordType, record: DataRecord): Promise<void> {
    try {
      if (await putDeviceRecord(type, record, this.choice.strategy === 'overwrite')) this.summary[`${type}Imported`]++
      else this.summary.skipped++
    } catch (error) {
      if (!(error instanceof AppError && isOfOneRecord(error))) throw error
      this.summary.skipped++
      this.problem(record.id, 'kept', type)
    }
  }

  async finish(): Promise<ImportSummary> {
    await this.close()
    for (const channelId of [...this.waiting.keys()]) await this.write(channelId, [])
    return this.summary
  }

  private async close(): Promise<void> {
    const open = this.open
    this.open = undefined
    if (open) await this.write(open.channelId, [...open.messages.values()])
  }

  private async write(channelId: string, messages: Message[]): Promise<void> {
    this.assertMayWrite()
    const channel = this.waiting.get(channelId)
    this.waiting.delete(channelId)
    const there = this.homes.find(channelId)
    try {
      if (there?.isLocked && this.choice.strategy === 'overwrite' && this.isUntouched(channelId)) this.refuse(there)
      else if (channel) await this.writeChannel(channel, there, messages)
      else await this.writeChat(channelId, there, messages)
    } catch (error) {
      if (!(error instanceof AppError) || stopsEverything(error)) throw error
      const place = channel?.channelName ?? channelId
      if (isOfOneRecord(error)) return this.problem(place, 'kept')
      this.problem(error instanceof RefusedMessageError ? `${place}, “${error.question}”` : place, error.status === 423 ? 'locked' : 'failed')
    }
  }

  private async writeChannel(channel: Channel, there: Channel | undefined, messages: Message[]): Promise<void> {
    if (!there) {
      await this.homes.create(channel, messages)
      this.summary.channelsImported++
      this.summary.chatsImported += messages.length
    } else if (this.choice.strategy === 'overwrite') {
      const isWhole = this.chats.get(channel.id)?.isWhole ?? false
      await this.homes.replace(there, channel, this.wants('chats') && isWhole ? messages : undefined)
      this.summary.channelsImported++
      if (!isWhole) return this.addInstead(channel.id, there, messages)
      this.summary.chatsImported += messages.length
    } else if (isUnfinished(channel.id)) {
      this.summary.channelsImported++
      this.summary.chatsImported += await this.homes.add(there, messages)
    } else {
      this.summary.skipped++
      if (this.choice.strategy === 'merge') this.summary.chatsImported += await this.homes.add(there, messages)
      else this.skippedChannels.add(channel.id)
    }
    this.replacedChats.add(channel.id)
  }

  /** Messages without their channel in the file, or another part of a chat that came before. */
  private async writeChat(channelId: string, there: Channel | undefined, messages: Message[]): Promise<void> {
    if (!there || this.skippedChannels.has(channelId)) {
      this.summary.skipped += there ? 0 : messages.length
      return
    }
    if (this.choice.strategy === 'overwrite' && this.isUntouched(channelId) && this.chats.get(channelId)?.isWhole) {
      await this.homes.replace(there, there, messages)
      this.summary.chatsImported += messages.length
    } else {
      const added = await this.homes.add(there, messages)
      this.summary.chatsImported += added
      this.summary.skipped += messages.length - added
    }
    this.replacedChats.add(channelId)
  }

  /** A chat that cannot be read whole in the file replaces none: what the one that is here lacks is added. */
  private async addInstead(channelId: string, there: Channel, messages: Message[]): Promise<void> {
    this.replacedChats.add(channelId)
    if (!this.wants('chats') || !this.chats.has(channelId)) return
    this.summary.chatsImported += await this.homes.add(there, messages)
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

  private problem(place: string, reason: Problem['reason'], type: DataType = 'channels'): void {
    if (this.summary.errors.length < limits.transfer.shownErrors) this.summary.errors.push({ type, place, reason })
  }

  private wants(type: DataType): boolean {
    return this.choice.types.includes(type)
  }

  /** Between two channels is where an import can end; and it never goes on in another person's store. */
  private assertMayWrite(): void {
    this.signal.throwIfAborted()
    if (storedSession()?.user.id !== this.userId) throw new AppError('transfer.no-user')
  }
}
