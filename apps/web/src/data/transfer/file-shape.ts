import { DataFileMetadata, type DataType, dataTypes } from '@parley/contract/data-file'
import { AppError } from '@parley/contract/errors'
import { webLimits } from '@parley/contract/limits/web'
import { isSafeKey } from '@parley/contract/transfer'
import * as z from 'zod/mini'
import { fromChatGpt } from './chatgpt'
import type { Entry, FileHead, Problem, RecordType } from './entries'
import { fileSourceOf } from './file-sources'
import { messageTreeOf } from './file-trees'
import { importedChannel, importedMessage } from './imported-entries'
import type { Handling, ItemHandlers, Kind, Path } from './json-items'

const DataRecordShape = z.looseObject({ id: z.string().check(z.minLength(1), z.maxLength(200), z.refine(isSafeKey)) })

/** Converts JSON items of a file to entries, and knows at the end which format it was. */
export class FileShape implements ItemHandlers {
  private outer: Kind | undefined
  private readonly kinds = new Map<DataType, Kind>()
  private metadata: unknown
  private hasMetadata = false
  /** The channel of the chat that is being read, in a data file. */
  private chatId: string | undefined
  private version: unknown
  private conversations = 0

  constructor(
    private readonly now: Date,
    private readonly take: (entry: Entry) => void,
  ) {}

  handlingOf(path: Path, kind: Kind): Handling {
    const [first, second, third] = path
    if (path.length === 0) {
      this.outer = kind
      return kind === 'scalar' ? 'skip' : 'enter'
    }
    if (this.outer === 'array') return 'item'
    if (path.length === 1) return this.handlingOfList(first, kind)
    if (first !== 'chats') return 'item'
    if (this.kinds.get('chats') === 'object')
      return path.length === 2 && kind === 'array' && typeof second === 'string' ? this.enterKeyedChat(second) : 'item'
    if (path.length === 2) {
      this.chatId = undefined
      return kind === 'object' ? 'enter' : 'item'
    }
    if (path.length === 3 && third === 'messages') return this.enterChat(kind, second)
    if (path.length === 3) return third === 'channelId' ? 'item' : 'skip'
    return 'item'
  }

  onItem(path: Path, value: unknown): void {
    const [first, second] = path
    const type = dataTypes.find((each) => each === first)
    if (this.outer === 'array') this.onConversation(Number(first), value)
    else if (first === 'metadata') this.metadata = value
    else if (first === 'version') this.version = value
    else if (type === 'channels') this.onChannel(value, second)
    else if (type === 'chats') this.onChatPart(path, value)
    else if (type) this.onRecord(type, value, second)
  }

  /** Throws transfer.invalid-data with all missing parts, or transfer.invalid where the format is unknown. */
  head(): FileHead {
    if (this.outer === 'array') {
      if (this.conversations === 0) throw new AppError('transfer.invalid')
      return { format: 'chatgpt', metadata: undefined }
    }
    if (this.outer !== 'object') throw new AppError('transfer.invalid')
    if (!this.hasMetadata && this.kinds.get('channels') === 'array' && this.kinds.get('chats') === 'object') {
      assertKnownVersion(this.version)
      return { format: 'channels', metadata: undefined }
    }
    const issues = this.issues().map((message) => ({ path: '', message }))
    if (issues.length > 0) throw new AppError('transfer.invalid-data', { issues })
    const metadata = z.safeParse(DataFileMetadata, this.metadata)
    if (!metadata.success) throw new AppError('transfer.invalid')
    assertKnownVersion(metadata.data.version)
    return { format: 'data', metadata: metadata.data }
  }

  private issues(): string[] {
    const { exportedAt, version } =
      z.safeParse(z.object({ exportedAt: z.optional(z.unknown()), version: z.optional(z.unknown()) }), this.metadata)
        .data ?? {}
    const isText = (value: unknown): boolean => typeof value === 'string' && value !== ''
    return [
      ...(this.hasMetadata ? [] : ['Missing metadata']),
      ...(isText(exportedAt) ? [] : ['Missing export timestamp']),
      ...(isText(version) ? [] : ['Missing version info']),
      ...dataTypes
        .filter((type) => this.kinds.has(type) && this.kinds.get(type) !== 'array')
        .map((type) => `Invalid ${type} format`),
    ]
  }

  private handlingOfList(name: string | number | undefined, kind: Kind): Handling {
    if (name === 'metadata') {
      this.hasMetadata = kind === 'object'
      return 'item'
    }
    if (name === 'version') return 'item'
    const type = dataTypes.find((each) => each === name)
    if (!type) return 'skip'
    this.kinds.set(type, kind)
    return kind === 'array' || (type === 'chats' && kind === 'object') ? 'enter' : 'skip'
  }

  private enterKeyedChat(channelId: string): Handling {
    if (!isSafeKey(channelId)) throw new AppError('transfer.invalid')
    this.take({ kind: 'chat', channelId })
    return 'enter'
  }

  /** In a data file: a chat whose messages are no list is unreadable. */
  private enterChat(kind: Kind, key: string | number | undefined): Handling {
    if (kind === 'array' && this.chatId !== undefined) this.take({ kind: 'chat', channelId: this.chatId })
    if (kind !== 'array') this.problem('chats', key, this.chatId)
    return kind === 'array' ? 'enter' : 'skip'
  }

  private onChannel(value: unknown, key: string | number | undefined): void {
    const channel = importedChannel(value, this.now)
    if (channel) this.take({ kind: 'channel', channel })
    else if (hasUnsafeId(value)) throw new AppError('transfer.invalid')
    else this.problem('channels', key)
  }

  private onChatPart([, chat, part, index]: Path, value: unknown): void {
    const isKeyed = this.kinds.get('chats') === 'object'
    if (part === undefined) this.problem('chats', chat, isKeyed ? String(chat) : undefined)
    else if (isKeyed) this.onMessage(String(chat), value, part)
    else if (part !== 'channelId') this.onMessage(this.chatId, value, index)
    else if (typeof value === 'string' && isSafeKey(value)) this.chatId = value
    else throw new AppError('transfer.invalid')
  }

  private onMessage(channelId: string | undefined, value: unknown, key: string | number | undefined): void {
    const message =
      channelId === undefined
        ? undefined
        : importedMessage(value, channelId, { now: this.now, fallbackId: `${channelId}-${key}` })
    if (channelId === undefined || !message) {
      this.problem('chats', key, channelId)
      return
    }
    const tree = messageTreeOf(value, message.mId)
    this.take({ kind: 'message', channelId, message, ...(tree ? { tree } : {}) })
    // Its other versions are lost: what this chat would replace is kept.
    if (tree === null) this.problem('chats', key, channelId)
  }

  private onRecord(type: RecordType, value: unknown, key: string | number | undefined): void {
    if (
      type === 'documents' &&
      typeof value === 'object' &&
      value !== null &&
      'kind' in value &&
      value.kind === 'source'
    ) {
      const source = fileSourceOf(value)
      if (source) this.take({ kind: 'source', source })
      else this.problem(type, key)
      return
    }
    const { success, data } = z.safeParse(DataRecordShape, value)
    if (!success) {
      this.problem(type, key)
      return
    }
    // The export added these fields; they are not part of the record.
    const { source: _source, exportedAt: _exportedAt, ...record } = data
    this.take({ kind: 'record', type, record })
  }

  private onConversation(index: number, value: unknown): void {
    const conversation = fromChatGpt(value, this.now)
    if (!conversation) {
      this.problem('channels', index)
      return
    }
    this.conversations++
    const { channel, messages } = conversation
    this.take({ kind: 'channel', channel })
    this.take({ kind: 'chat', channelId: channel.id })
    for (const message of messages) this.take({ kind: 'message', channelId: channel.id, ...message })
  }

  private problem(type: DataType, index: string | number | undefined, channelId?: string): void {
    const label = typeof index === 'number' ? `#${index + 1}` : String(index)
    const problem: Problem = { type, label, reason: 'unreadable' }
    this.take({ kind: 'problem', problem, ...(channelId === undefined ? {} : { channelId }) })
  }
}

/** A later version's fields may have another meaning, or contain more than would be imported. */
function assertKnownVersion(version: unknown): void {
  const [major = 0, minor = 0] =
    typeof version === 'string' || typeof version === 'number' ? String(version).split('.').map(Number) : []
  const [knownMajor = 0, knownMinor = 0] = webLimits.transfer.version.split('.').map(Number)
  if (major > knownMajor || (major === knownMajor && minor > knownMinor)) throw new AppError('transfer.newer-version')
}

function hasUnsafeId(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return ['__proto__', 'constructor', 'prototype'].some(
    (key) => ('id' in value && value.id === key) || ('_id' in value && value._id === key),
  )
}
