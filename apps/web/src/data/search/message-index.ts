import type { MessageHit } from '@parley/contract/cloud'
import { foldedMessage, passageOf, searchWords } from '@parley/contract/search-text'
import { chatIdOf } from '../channels/chat-keys'
import type { LocalDatabase, MessageRecord } from '../local/database'
import { openMessage } from '../local/message-codec'
import type { Vault } from '../local/vault'
import { WordIndex } from './word-index'

/** A hit of this device. The channel's name is in the list of channels. */
type DeviceHit = Omit<MessageHit, 'channelName'>
export type Found = { hits: DeviceHit[]; hasMore: boolean }

type Entry = {
  channelId: string
  mId: string
  position: number
  time: number
  /** Of the record that was read: one that was written again has another. */
  nonce: Uint8Array
  number: number
}
type IndexedChat = { count: number; lastPosition: number; nonce: Uint8Array; entries: Map<string, Entry> }

/** Read and decrypted at once: long enough to be quick, short enough for a search to come in between. */
const batchSize = 100

/** The words of all messages on this device, in memory alone, and what stands where. Runs in a worker. */
export class MessageIndex {
  private readonly words = new WordIndex<Entry>()
  private readonly chats = new Map<string, IndexedChat>()
  private isListStale = true
  /** The channels that have to be read, the last active one first, with the number of their messages. */
  private readonly waiting = new Map<string, number>()
  private total = 0
  private steps: AsyncGenerator<void> | undefined

  constructor(private readonly from: { db: LocalDatabase; vault: Vault; userId: string | undefined }) {}

  /** What is written from now on is read before the next search is complete. Without a channel: some channel came or went. */
  changed(channelId: string | undefined): void {
    if (channelId === undefined) this.isListStale = true
    else this.waiting.set(channelId, this.chats.get(channelId)?.count ?? 0)
  }

  /** Reads a little of what it does not know yet. Answers whether there may be more. */
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

  /** Of what is known so far, the newest messages first. */
  async search(query: string, limit: number): Promise<Found> {
    const words = searchWords(query)
    const found = this.words.find(words.terms).sort((a, b) => b.time - a.time || b.position - a.position)
    const hits = await Promise.all(
      found.slice(0, limit).map(async ({ channelId, mId, position }): Promise<DeviceHit[]> => {
        const record = await this.from.db.get('messages', [chatIdOf(channelId, this.from.userId), position])
        if (record?.id !== mId) return []
        const { chat_request, chat_response, datetime, error } = await openMessage(this.from.vault, record)
        return isUnreadable(error) ? [] : [{ channelId, mId, datetime, ...passageOf(chat_request, chat_response.content, words) }]
      }),
    )
    return { hits: hits.flat(), hasMore: found.length > limit }
  }

  private async *bringUpToDate(): AsyncGenerator<void> {
    while (this.isListStale || this.waiting.size > 0) {
      if (this.isListStale) await this.readList()
      const group = this.takeGroup()
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
      // A channel that was replaced by an import may have as many messages as before, but its own record was written again.
      const isKnown = known?.count === chat.count && known.lastPosition === chat.lastPosition && isSame(known.nonce, nonce)
      if (!isKnown) this.waiting.set(id, chat.count)
    }
    for (const id of gone) this.forget(id)
  }

  /** Small channels together, a large one alone. */
  private takeGroup(): string[] {
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

  /** What is known already is not decrypted again. */
  private async *read(channelId: string): AsyncGenerator<void> {
    const { db } = this.from
    const chatId = chatIdOf(channelId, this.from.userId)
    const [channel, chat] = await Promise.all([db.get('channels', channelId), db.get('chats', chatId)])
    if (!channel || !chat) return this.forget(channelId)
    const { entries } = this.chats.get(channelId) ?? { entries: new Map<string, Entry>() }
    // From the beginning: a later search in the middle of it finds what was read so far.
    this.chats.set(channelId, { count: chat.count, lastPosition: chat.lastPosition, nonce: channel.n, entries })
    const gone = new Set(entries.keys())
    for (let after = -1; ; ) {
      const place = IDBKeyRange.bound([chatId, after], [chatId, Number.MAX_SAFE_INTEGER], true)
      const records = await db.getAll('messages', place, batchSize)
      await Promise.all(records.map((record) => this.readRecord(entries, record)))
      for (const { id } of records) gone.delete(id)
      if (records.length < batchSize) break
      after = records.at(-1)?.position ?? after
      yield
    }
    for (const mId of gone) this.remove(entries, mId)
  }

  private async readRecord(entries: Map<string, Entry>, record: MessageRecord): Promise<void> {
    const { id: mId, channelId, position, at, n: nonce } = record
    const known = entries.get(mId)
    if (known && known.position === position && isSame(known.nonce, nonce)) return
    const { chat_request, chat_response } = await openMessage(this.from.vault, record)
    this.remove(entries, mId)
    const entry: Entry = { channelId, mId, position, time: Date.parse(at) || 0, nonce, number: 0 }
    entry.number = this.words.add(entry, wordsOf(chat_request, chat_response.content))
    entries.set(mId, entry)
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

async function atOnce(steps: AsyncGenerator<void>): Promise<void> {
  for await (const _step of steps);
}

const isUnreadable = (error: { code: string } | undefined): boolean => error?.code.startsWith('storage.') ?? false

const isSame = (a: Uint8Array, b: Uint8Array): boolean => a.length === b.length && a.every((byte, index) => byte === b[index])
