import { branchRoutes, type OutlineEntry } from '@parley/contract/branches'
import type { Channel } from '@parley/contract/channels'
import type { Message } from '@parley/contract/chat'
import type { ChatSettingsChange } from '@parley/contract/chat-settings'
import { channelRoutes } from '@parley/contract/cloud'
import { contextSizeRoutes } from '@parley/contract/context-size'
import type { Summary } from '@parley/contract/conversations'
import { AppError } from '@parley/contract/errors'
import { limits } from '@parley/contract/limits/shared'
import { webLimits } from '@parley/contract/limits/web'
import { type Nano, storedNano } from '@parley/contract/money'
import { treeRoutes } from '@parley/contract/trees'
import { uuidv7 } from '@parley/contract/uuid'
import type * as z from 'zod/mini'
import { api } from '../api/api'
import { announce, announceHere } from '../local/changes'
import { scoped } from '../scope/scope'
import { bareMessage } from './bare-message'
import type { ChannelStore, MessagePage, NewChannel, Owner, PagePosition, Version } from './channel-store'
import { endsPath, overlaid } from './cloud-overlay'
import { messageBatches } from './message-batches'

/** Long chats alone have summaries. */
const loadSummaries = () => import('./cloud-summaries')

const isFinal = ({ status }: Message): boolean => status !== 'queued' && status !== 'sent' && status !== 'streaming'

/** The state of a channel when it was copied, as channelRoutes.remove has it. */
type CopiedState = { total: number; runs: number; updatedAt: string; sources: string }
type TreeChanges = z.output<typeof treeRoutes.write.body>

const cloudState = scoped(() => ({
  /** The messages that this page is sending, by channel and message id. */
  pending: new Map<string, Map<string, Message>>(),
  /** Runs that were being received when somebody went to another version: the server tells where they are shown. */
  leftAside: new Set<string>(),
  /** The channel ids of the last list. */
  known: new Set<string>(),
}))

/**
 * The cloud home: the server stores channels, questions and answers. Messages that this page is sending are overlaid
 * until the server has stored them.
 */
export class CloudChannelStore implements ChannelStore {
  private get own() {
    return cloudState()
  }

  async list(signal?: AbortSignal): Promise<Channel[]> {
    const { own } = this
    const all: Channel[] = []
    const size = limits.cloud.maxChannelPage
    for (let page = 0; all.length === page * size; page++) {
      const { channels } = await api(channelRoutes.list, { query: { page, size }, ...(signal ? { signal } : {}) })
      all.push(...channels)
    }
    own.known = new Set(all.map(({ id }) => id))
    return all
  }

  /**
   * Whether a channel is in the cloud. The id itself is not sent: it could be one of this device, of which the server
   * must know nothing.
   */
  async has(channelId: string): Promise<boolean> {
    if (!this.own.known.has(channelId)) await this.list()
    return this.own.known.has(channelId)
  }

  /** Like `has`, without a request. */
  isKnown(channelId: string): boolean {
    return this.own.known.has(channelId)
  }

  get(channelId: string): Promise<Channel | undefined> {
    return undefinedIfMissing(() => api(channelRoutes.get, { params: { id: channelId } }))
  }

  async create({ assistantId, ...fields }: NewChannel): Promise<Channel> {
    const { data } = await api(channelRoutes.create, { body: { assistantId, ...fields } })
    this.own.known.add(data.id)
    announce({ kind: 'channels' })
    return data
  }

  async rename(channelId: string, channelName: string, instead?: string): Promise<Channel> {
    const channel = await api(channelRoutes.rename, {
      body: { channelId, channelName, ...(instead === undefined ? {} : { instead }) },
    })
    announce({ kind: 'channels' })
    return channel
  }

  async configure(channelId: string, change: ChatSettingsChange): Promise<Channel> {
    // The person may leave the page right after it.
    const channel = await api(channelRoutes.configure, { params: { id: channelId }, body: change, keepalive: true })
    announce({ kind: 'channels' })
    return channel
  }

  /** Only the operator locks cloud channels. */
  setLocked(): Promise<Channel> {
    return Promise.reject(new AppError('forbidden'))
  }

  async clear(channelId: string): Promise<void> {
    await api(channelRoutes.clear, { params: { id: channelId } })
    this.own.pending.delete(channelId)
    announce({ kind: 'messages', channelId })
  }

  /**
   * With `seen`, removes the channel only if it has not changed since: otherwise throws channel.copy-differs, and the
   * caller announces the new list itself.
   */
  async remove(channelId: string, seen?: CopiedState): Promise<void> {
    await api(channelRoutes.remove, { params: { id: channelId }, query: seen ?? {} })
    this.own.known.delete(channelId)
    this.own.pending.delete(channelId)
    if (!seen) announce({ kind: 'channels' })
    announce({ kind: 'messages', channelId })
  }

  /** Called when this person has left or is about to leave the channel. Answers whether it was known here. */
  forget(channelId: string): boolean {
    this.own.pending.delete(channelId)
    return this.own.known.delete(channelId)
  }

  async removeAll(): Promise<{ deleted: number; skipped: number; failed: number }> {
    const result = await api(channelRoutes.removeAll, { answerMs: webLimits.calls.slowAnswerMs })
    this.own.pending.clear()
    announce({ kind: 'channels' })
    return { ...result, failed: 0 }
  }

  async messages(
    channelId: string,
    { limit = webLimits.channels.messagePageSize, ...position }: PagePosition & { limit?: number } = {},
  ): Promise<MessagePage> {
    const size = Math.min(limit, limits.cloud.maxMessagePage)
    const page = await undefinedIfMissing(() =>
      api(channelRoutes.messages, { params: { page: 0, size, channelId }, query: position }),
    )
    if (!page) return { messages: [], cursor: undefined, newer: undefined, total: 0 }
    const { content, cursor, newer, total } = page
    const isNewest = position.before === undefined && newer === undefined
    return { messages: this.overlayPending(channelId, content, isNewest), cursor, newer, total }
  }

  /** The server answers the run that is shown, whichever is named. */
  async message(channelId: string, mId: string): Promise<Message | undefined> {
    return this.own.pending.get(channelId)?.get(mId) ?? this.stored(channelId, mId)
  }

  /**
   * Overlays a message that is being sent. The server stores it itself; one that it refused before storing is stored
   * here with the reason, so that no question is lost. An answer that it had begun was stored before.
   */
  async put(message: Message, _of?: Owner, { isAnswer = false } = {}): Promise<void> {
    const { channelId, mId } = message
    const before = this.own.pending.get(channelId)?.get(mId)
    this.addPending(message)
    // The growing answer is on screen already.
    const isShown = before?.run?.messageId === message.run?.messageId
    if (!isFinal(message)) return isShown ? undefined : this.announcePut(message)
    const known = await this.stored(channelId, mId)
    const isDeleted = isAnswer && !known && (message.run?.seq ?? 0) > 0
    if (!known && !isDeleted) {
      const { versions: _versions, ...asked } = message
      await api(channelRoutes.importMessages, { params: { channelId }, body: { messages: [asked] } })
    }
    this.own.pending.get(channelId)?.delete(mId)
    this.own.leftAside.delete(runOf(message))
    if (isDeleted) announce({ kind: 'message', channelId, mId, isRemoved: true })
    else this.announcePut(known && isFinal(known) ? known : message, message)
    announce({ kind: 'channel', channelId, home: 'cloud' })
  }

  /** `asked`: as it was put. Where others leave the path the list is read again; what is final is shown before. */
  private announcePut(message: Message, asked = message): void {
    const change = { kind: 'message', channelId: message.channelId, mId: message.mId, message } as const
    if (!endsPath(asked)) return void announce(change)
    if (isFinal(message)) announceHere(change)
    announce({ kind: 'messages', channelId: message.channelId })
  }

  async removeMessage(channelId: string, mId: string): Promise<void> {
    await undefinedIfMissing(() => api(channelRoutes.removeMessage, { params: { id: mId }, query: { channelId } }))
    const asked = this.own.pending.get(channelId)?.get(mId)
    this.own.pending.get(channelId)?.delete(mId)
    announce({ kind: 'message', channelId, mId, isRemoved: true })
    if (asked && endsPath(asked)) announce({ kind: 'messages', channelId })
  }

  async show(channelId: string, version: Version): Promise<void> {
    await api(branchRoutes.show, { params: { id: channelId }, body: version })
    for (const message of this.own.pending.get(channelId)?.values() ?? []) this.own.leftAside.add(runOf(message))
    announce({ kind: 'messages', channelId })
  }

  async branch(channelId: string, version: Version): Promise<Channel> {
    const body = { ...version, newId: uuidv7() }
    const channel = await api(branchRoutes.branch, { params: { id: channelId }, body })
    this.own.known.add(channel.id)
    announce({ kind: 'channels' })
    return channel
  }

  async removeBranch(channelId: string, mId: string): Promise<void> {
    await api(branchRoutes.remove, { params: { id: channelId, mId } })
    this.own.pending.get(channelId)?.delete(mId)
    announce({ kind: 'messages', channelId })
  }

  async outline(channelId: string): Promise<OutlineEntry[]> {
    return (await api(branchRoutes.outline, { params: { id: channelId } })).entries
  }

  async setPinned(channelId: string, mId: string, isPinned: boolean): Promise<void> {
    await api(branchRoutes.pin, { params: { channelId, id: mId }, body: { isPinned } })
    announce({ kind: 'message', channelId, mId })
  }

  async cost(channelId: string): Promise<Nano> {
    const { cost } = await api(contextSizeRoutes.cost, { params: { id: channelId } })
    return storedNano(cost)
  }

  async summaries(channelId: string): Promise<Summary[]> {
    return (await loadSummaries()).listSummaries(channelId)
  }

  /** Adds the summaries of another copy of a channel. */
  async addSummaries(channelId: string, summaries: readonly Summary[]): Promise<void> {
    if (summaries.length > 0) await (await loadSummaries()).addSummaries(channelId, summaries)
  }

  async putSummary(summary: Summary): Promise<void> {
    await (await loadSummaries()).putSummary(summary)
  }

  /**
   * Adds messages from elsewhere, in their order. A message that exists already stays, unless `takesNewer` lets the
   * later state replace it. Answers the number of messages afterwards.
   */
  async importMessages(channelId: string, messages: readonly Message[], { takesNewer = false } = {}): Promise<number> {
    let total = 0
    for (const batch of messageBatches(messages.map(bareMessage))) {
      const body = { messages: batch, ...(takesNewer ? { takesNewer } : {}) }
      total = (
        await api(channelRoutes.importMessages, { params: { channelId }, body, answerMs: webLimits.calls.slowAnswerMs })
      ).total
    }
    return total
  }

  /** A page of all that a channel holds. Throws channel.answering while this page is asking in it. */
  treePage(channelId: string, after?: string): Promise<z.output<typeof treeRoutes.read.response>> {
    if ([...(this.own.pending.get(channelId)?.values() ?? [])].some((message) => !isFinal(message)))
      return Promise.reject(new AppError('channel.answering'))
    const query = after === undefined ? {} : { after }
    return api(treeRoutes.read, { params: { id: channelId }, query, answerMs: webLimits.calls.slowAnswerMs })
  }

  addTree(id: string, body: TreeChanges): Promise<void> {
    return api(treeRoutes.write, { params: { id }, body, answerMs: webLimits.calls.slowAnswerMs })
  }

  private stored(channelId: string, mId: string): Promise<Message | undefined> {
    return undefinedIfMissing(() => api(channelRoutes.message, { params: { channelId, id: mId } }))
  }

  private addPending(message: Message): void {
    const asked = this.own.pending.get(message.channelId) ?? new Map<string, Message>()
    this.own.pending.set(message.channelId, asked.set(message.mId, message))
  }

  private overlayPending(channelId: string, stored: Message[], isNewest: boolean): Message[] {
    const asked = this.own.pending.get(channelId)
    if (!asked || asked.size === 0) return stored
    let shown = stored
    for (const message of asked.values())
      if (!this.own.leftAside.has(runOf(message))) shown = overlaid(shown, message, isNewest)
    return shown
  }
}

const runOf = ({ run, mId }: Message): string => run?.messageId ?? mId

/** Undefined for a 404: the resource does not exist, or belongs to somebody else. */
export async function undefinedIfMissing<T>(call: () => Promise<T>): Promise<T | undefined> {
  try {
    return await call()
  } catch (error) {
    if (error instanceof AppError && error.status === 404) return undefined
    throw error
  }
}
