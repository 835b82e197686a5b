import type { MessageHit } from '@parley/contract/cloud'
import { foldedMessage, passageOf, searchWords } from '@parley/contract/search-text'
import { chatIdOf } from '../channels/chat-keys'
import type { LocalDatabase } from '../local/database'
import { exchangesOf, readExchanges, type StoredExchange } from '../local/exchange-records'
import { openMessage } from '../local/message-codec'
import type { Vault } from '../local/vault'
import { WordIndex } from './word-index'

/** A hit of this device; the list of channels has the channel's name. */
type DeviceHit = Omit<MessageHit, 'channelName'>
export type IndexHits = { hits: DeviceHit[]; hasMore: boolean }

type Entry = {
  channelId: string
  mId: string
  position: number
  time: number
  /** The nonces of the exchange and of its newest run as they were indexed: a rewritten record has another one. */
  nonces: Uint8Array
  number: number
}
type IndexedChat = { count: number; lastPosition: number; nonce: Uint8Array; entries: Map<string, Entry> }

/** Messages that are read and decrypted in one step: a search runs between two steps. */
const batchSize = 100

/** The word index of all messages on this device, in memory only. Runs in a worker. */
export class MessageIndex {
  private readonly words = new WordIndex<Entry>()
  private readonly chats = new Map<string, IndexedChat>()
  private isListStale = true
  /** The channels that must be indexed again, the most recently active first, with their message counts. */
  private readonly waiting = new Map<string, number>()
  private total = 0
  private steps: AsyncGenerator<void> | undefined

  constructor(private readonly from: { db: LocalDatabase; vault: Vault; userId: string | undefined }) {}

  /**
   * Marks a channel for indexing before the next search is complete. Without a channel: the list of channels changed.
   */
  changed(channelId: string | undefined): void {
    if (channelId === undefined) this.isListStale = true
    else this.waiting.set(channelId, this.chats.get(channelId)?.count ?? 0)
  }

  /** Indexes one batch. Answers whether there may be more. */
  async step(): Promise<boolean> {
    this.steps ??= this.bringUpToDate()
    try {
      const { done } = await this.steps.next()
      if (done) this.steps = undefined
      return !done
    } catch (error) {
      this.steps = undefined
      throw error
    }
  }

  get progress(): { done: number; total: number } {
    return { done: Math.min(this.words.size, this.total), total: this.total }
  }

  /** Searches the index as it is, newest messages first. */
  async search(query: string, limit: number): Promise<IndexHits> {
    const words = searchWords(query)
    const found = this.words.find(words.terms).sort((a, b) => b.time - a.time || b.position - a.position)
    const hits = await Promise.all(
      found.slice(0, limit).map(async ({ channelId, mId, position }): Promise<DeviceHit[]> => {
        const chatId = chatIdOf(channelId, this.from.userId)
        const [stored] = await readExchanges(this.reading(), IDBKeyRange.only([chatId, position]))
        if (stored?.record.id !== mId) return []
        const { chat_request, chat_response, datetime, error } = await openMessage(this.from.vault, stored)
        return isUnreadable(error)
          ? []
          : [{ channelId, mId, datetime, ...passageOf(chat_request, chat_response.content, words) }]
      }),
    )
    return { hits: hits.flat(), hasMore: found.length > limit }
  }

  private async *bringUpToDate(): AsyncGenerator<void> {
    while (this.isListStale || this.waiting.size > 0) {
      if (this.isListStale) await this.readList()
      const group = this.nextGroup()
      const [first] = group
      if (group.length === 1 && first !== undefined) yield* this.read(first)
      else await Promise.all(group.map((channelId) => atOnce(this.read(channelId))))
      this.words.compact((entry, number) => {
        entry.number = number
      })
      yield
    }
  }

  private async readList(): Promise<void> {
    this.isListStale = false
    const { db } = this.from
    const [channels, chats] = await Promise.all([db.getAll('channels'), db.getAll('chats')])
    const chatOf = new Map(chats.map((chat) => [chat.id, chat]))
    const gone = new Set(this.chats.keys())
    this.total = 0
    for (const { id, n: nonce } of channels.sort((a, b) => b.at.localeCompare(a.at))) {
      const chat = chatOf.get(chatIdOf(id, this.from.userId))
      if (!chat) continue
      gone.delete(id)
      this.total += chat.count
      const known = this.chats.get(id)
      // An import may replace a channel by one with as many messages: its own record then has a new nonce.
      const isKnown =
        known?.count === chat.count && known.lastPosition === chat.lastPosition && isSame(known.nonce, nonce)
      if (!isKnown) this.waiting.set(id, chat.count)
    }
    for (const id of gone) this.forget(id)
  }

  /** Groups small channels into one batch; a large one is a batch alone. */
  private nextGroup(): string[] {
    const group: string[] = []
    let size = 0
    for (const [id, count] of this.waiting) {
      if (group.length > 0 && size + count > batchSize) break
      this.waiting.delete(id)
      group.push(id)
      size += count + 1
    }
    return group
  }

  /** Indexes a channel; messages that are indexed already are not decrypted again. */
  private async *read(channelId: string): AsyncGenerator<void> {
    const { db } = this.from
    const chatId = chatIdOf(channelId, this.from.userId)
    const [channel, chat] = await Promise.all([db.get('channels', channelId), db.get('chats', chatId)])
    if (!channel || !chat) return this.forget(channelId)
    const { entries } = this.chats.get(channelId) ?? { entries: new Map<string, Entry>() }
    // Set before the reading: a search in the middle finds the messages indexed so far.
    this.chats.set(channelId, { count: chat.count, lastPosition: chat.lastPosition, nonce: channel.n, entries })
    const gone = new Set(entries.keys())
    for (let after = -1; ; ) {
      const batch = await readExchanges(this.reading(), exchangesOf(chatId, after + 1), batchSize)
      await Promise.all(batch.map((stored) => this.readExchange(entries, stored)))
      for (const { record } of batch) gone.delete(record.id)
      if (batch.length < batchSize) break
      after = batch.at(-1)?.record.position ?? after
      yield
    }
    for (const mId of gone) this.remove(entries, mId)
  }

  private async readExchange(entries: Map<string, Entry>, stored: StoredExchange): Promise<void> {
    const { id: mId, channelId, position, at } = stored.record
    const nonces = noncesOf(stored)
    const known = entries.get(mId)
    if (known && known.position === position && isSame(known.nonces, nonces)) return
    const { chat_request, chat_response } = await openMessage(this.from.vault, stored)
    this.remove(entries, mId)
    const entry: Entry = { channelId, mId, position, time: Date.parse(at) || 0, nonces, number: 0 }
    entry.number = this.words.add(entry, wordsOf(chat_request, chat_response.content))
    entries.set(mId, entry)
  }

  private reading() {
    return this.from.db.transaction(['exchanges', 'runs'])
  }

  private remove(entries: Map<string, Entry>, mId: string): void {
    const entry = entries.get(mId)
    if (!entry) return
    this.words.remove(entry.number)
    entries.delete(mId)
  }

  private forget(channelId: string): void {
    const entries = this.chats.get(channelId)?.entries ?? new Map<string, Entry>()
    for (const mId of entries.keys()) this.remove(entries, mId)
    this.chats.delete(channelId)
  }
}

function wordsOf(question: string, answer: string): Set<string> {
  const words = new Set(foldedMessage(question, answer).split(' '))
  words.delete('')
  return words
}

function noncesOf({ record, runs }: StoredExchange): Uint8Array {
  const newest = runs.at(-1)
  return Uint8Array.from([...record.n, ...(newest?.n ?? [])])
}

async function atOnce(steps: AsyncGenerator<void>): Promise<void> {
  for await (const _step of steps);
}

const isUnreadable = (error: { code: string } | undefined): boolean => error?.code.startsWith('storage.') ?? false

const isSame = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((byte, index) => byte === b[index])
