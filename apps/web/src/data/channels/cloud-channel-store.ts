import type { Channel } from '@parley/contract/channels'
import type { Message } from '@parley/contract/chat'
import { channelRoutes } from '@parley/contract/cloud'
import { AppError } from '@parley/contract/errors'
import { limits } from '@parley/contract/limits'
import { api } from '../http/api'
import { utf8 } from '../local/bytes'
import { announce } from '../local/changes'
import type { ChannelStore, MessagePage, NewChannel, PagePlace } from './channel-store'

const isFinal = ({ status }: Message): boolean => status !== 'queued' && status !== 'sent' && status !== 'streaming'

/** What was seen of a channel by whoever copied it: how many messages it has, and its last activity. */
type Seen = { total: number; updatedAt: string }

/**
 * The cloud's home: the server keeps channels, questions and answers. What this page is asking is laid over what the
 * server has, until that has it too.
 */
export class CloudChannelStore implements ChannelStore {
  private readonly asked = new Map<string, Map<string, Message>>()
  /** The ids that were last listed. */
  private known = new Set<string>()

  async list(signal?: AbortSignal): Promise<Channel[]> {
    const all: Channel[] = []
    const size = limits.cloud.maxChannelPage
    for (let page = 0; all.length === page * size; page++) {
      const { channels } = await api(channelRoutes.list, { query: { page, size }, ...(signal ? { signal } : {}) })
      all.push(...channels)
    }
    this.known = new Set(all.map(({ id }) => id))
    return all
  }

  /** Whether a channel is here. The id itself is not sent: it could be one of this device, of which the server knows nothing. */
  async has(channelId: string): Promise<boolean> {
    if (!this.known.has(channelId)) await this.list()
    return this.known.has(channelId)
  }

  /** Without asking the server. */
  isKnown(channelId: string): boolean {
    return this.known.has(channelId)
  }

  get(channelId: string): Promise<Channel | undefined> {
    return orNothing(() => api(channelRoutes.get, { params: { id: channelId } }))
  }

  async create({ assistantId, ...wanted }: NewChannel): Promise<Channel> {
    const { data } = await api(channelRoutes.create, { body: { assistantId, ...wanted } })
    this.known.add(data.id)
    announce({ kind: 'channels' })
    return data
  }

  async rename(channelId: string, channelName: string, instead?: string): Promise<Channel> {
    const channel = await api(channelRoutes.rename, { body: { channelId, channelName, ...(instead === undefined ? {} : { instead }) } })
    announce({ kind: 'channels' })
    return channel
  }

  /** The operator locks channels of the cloud. */
  setLocked(): Promise<Channel> {
    return Promise.reject(new AppError('forbidden'))
  }

  async clear(channelId: string): Promise<void> {
    await api(channelRoutes.clear, { params: { id: channelId } })
    this.asked.delete(channelId)
    announce({ kind: 'messages', channelId })
  }

  /** With `seen` only if the channel is still like that: throws channel.copy-differs. Whoever removes what they copied tells the list by themselves. */
  async remove(channelId: string, seen?: Seen): Promise<void> {
    await api(channelRoutes.remove, { params: { id: channelId }, query: seen ?? {} })
    this.known.delete(channelId)
    this.asked.delete(channelId)
    if (!seen) announce({ kind: 'channels' })
    announce({ kind: 'messages', channelId })
  }

  /** This person is not in the channel any more, or is about to leave it. Whether it was known here. */
  forget(channelId: string): boolean {
    this.asked.delete(channelId)
    return this.known.delete(channelId)
  }

  async removeAll(): Promise<{ deleted: number; skipped: number; failed: number }> {
    const result = await api(channelRoutes.removeAll, { answerMs: limits.calls.slowAnswerMs })
    this.asked.clear()
    announce({ kind: 'channels' })
    return { ...result, failed: 0 }
  }

  async messages(channelId: string, { limit = limits.channels.messagePageSize, ...place }: PagePlace & { limit?: number } = {}): Promise<MessagePage> {
    const size = Math.min(limit, limits.cloud.maxMessagePage)
    const page = await orNothing(() => api(channelRoutes.messages, { params: { page: 0, size, channelId }, query: place }))
    if (!page) return { messages: [], cursor: undefined, newer: undefined, total: 0 }
    const { content, cursor, newer, total } = page
    const isNewest = place.before === undefined && newer === undefined
    return { messages: this.withAsked(channelId, content, isNewest), cursor, newer, total }
  }

  async message(channelId: string, mId: string): Promise<Message | undefined> {
    return this.asked.get(channelId)?.get(mId) ?? this.stored(channelId, mId)
  }

  /** Shows what is being asked. The server stores it by itself; what it refused before storing it is stored here, with the reason, so that no question is lost. */
  async put(message: Message): Promise<void> {
    const { channelId, mId } = message
    const before = this.asked.get(channelId)?.get(mId)
    this.lay(message)
    if (!isFinal(message)) {
      // The answer's growth is on screen already.
      if (before?.run?.messageId !== message.run?.messageId) announce({ kind: 'message', channelId, mId, message })
      return
    }
    const known = await this.stored(channelId, mId)
    if (!known) await api(channelRoutes.importMessages, { params: { channelId }, body: { messages: [message] } })
    this.asked.get(channelId)?.delete(mId)
    announce({ kind: 'message', channelId, mId, message: known && isFinal(known) ? known : message })
    announce({ kind: 'channel', channelId, home: 'cloud' })
  }

  async removeMessage(channelId: string, mId: string): Promise<void> {
    await orNothing(() => api(channelRoutes.removeMessage, { params: { id: mId }, query: { channelId } }))
    this.asked.get(channelId)?.delete(mId)
    announce({ kind: 'message', channelId, mId, isRemoved: true })
  }

  /**
   * Adds messages that come from elsewhere, in their order; those that are there already stay as they are, unless
   * `takesNewer` lets the state that was written later stand. Answers how many there are then.
   */
  async importMessages(channelId: string, messages: readonly Message[], { takesNewer = false } = {}): Promise<number> {
    let total = 0
    for (const batch of batches(messages)) {
      const body = { messages: batch, ...(takesNewer ? { takesNewer } : {}) }
      total = (await api(channelRoutes.importMessages, { params: { channelId }, body, answerMs: limits.calls.slowAnswerMs })).total
    }
    return total
  }

  private stored(channelId: string, mId: string): Promise<Message | undefined> {
    return orNothing(() => api(channelRoutes.message, { params: { channelId, id: mId } }))
  }

  private lay(message: Message): void {
    const asked = this.asked.get(message.channelId) ?? new Map<string, Message>()
    this.asked.set(message.channelId, asked.set(message.mId, message))
  }

  private withAsked(channelId: string, stored: Message[], isNewest: boolean): Message[] {
    const asked = this.asked.get(channelId)
    if (!asked || asked.size === 0) return stored
    const ids = new Set(stored.map(({ mId }) => mId))
    const missing = isNewest ? [...asked.values()].filter(({ mId }) => !ids.has(mId)) : []
    return [...stored.map((message) => asked.get(message.mId) ?? message), ...missing]
  }
}

/** What does not exist, or is somebody else's, is undefined. */
export async function orNothing<T>(call: () => Promise<T>): Promise<T | undefined> {
  try {
    return await call()
  } catch (error) {
    if (error instanceof AppError && error.status === 404) return undefined
    throw error
  }
}

/** As many as one call takes, by number and by the bytes of their JSON. One that is larger goes alone. */
function* batches(messages: readonly Message[]): Generator<Message[]> {
  let batch: Message[] = []
  let length = 0
  for (const message of messages) {
    const size = utf8(JSON.stringify(message)).length + 1
    if (batch.length > 0 && (batch.length >= limits.cloud.maxImportBatch || length + size > limits.cloud.importCallBytes)) {
      yield batch
      batch = []
      length = 0
    }
    batch.push(message)
    length += size
  }
  if (batch.length > 0) yield batch
}
