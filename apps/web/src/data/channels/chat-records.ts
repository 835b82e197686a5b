import type { Channel } from '@parley/contract/channels'
import type { Message } from '@parley/contract/chat'
import { treeOf, versionOf } from '@parley/contract/conversation-tree'
import { AppError } from '@parley/contract/errors'
import { type ExchangeWithRuns, messageOf } from '@parley/contract/message-adapter'
import { type ConversationCopy, tidied } from '@parley/contract/tree-copies'
import type { ChannelRecord, ChatRecord, DocumentRecord, RunRecord, SealedRecord } from '../local/database'
import type { Device } from '../local/device'
import { exchangesOf, readExchanges, runsOf, type StoredExchange } from '../local/exchange-records'
import { readConversation } from '../local/message-codec'
import { isOldForm, isSameRecord, readChannel } from '../local/readable'
import { documentRange, isSourceRecord, removeContent, removeSources } from '../local/source-keys'
import { type NoteRead, OutdatedRead, type WritableRecords } from '../local/write-sealed'
import { chatIdOf, emptyChat, queueRange, readMarkId, standInOf, summaryRange } from './chat-keys'
import { type ChatTree, chatTreeOf, reshaped } from './chat-tree'

/**
 * A channel with all its exchanges and their runs, oldest first, as read in one transaction, the message that each
 * shows, and the records that they were read from. `head`: where it has branches. `isBranched`: there are exchanges
 * beside those on the path to the head.
 */
export type WholeChannel = {
  channel: Channel
  exchanges: ExchangeWithRuns[]
  messages: Message[]
  /** The run that each exchange shows. */
  shownIds: ReadonlyMap<string, string>
  head: string | undefined
  isBranched: boolean
  records: { channel: ChannelRecord; exchanges: readonly StoredExchange[] }
}

/** The key range of the copies that imports kept of a channel. */
const undoRange = (channelId: string): IDBKeyRange => IDBKeyRange.bound(`${channelId}|`, `${channelId}|\uffff`)

/** The number of exchanges that are decrypted at a time: all of a long chat at once would freeze the page. */
const atOnce = 200

/**
 * Reads a channel with all its exchanges. Throws storage.unreadable and storage.newer-version where any record cannot
 * be read: an incomplete copy must not be taken for the whole.
 */
export async function readWhole({ db, vault, userId }: Device, channelId: string): Promise<WholeChannel | undefined> {
  const chatId = chatIdOf(channelId, userId)
  const tx = db.transaction(['channels', 'chats', 'exchanges', 'runs'])
  const record = await tx.objectStore('channels').get(channelId)
  const chat = (await tx.objectStore('chats').get(chatId)) ?? emptyChat(channelId, userId)
  const stored = await readExchanges(tx, exchangesOf(chatId))
  if (!record) return undefined
  const channel = { ...(await readChannel(vault, record)), updated_at: record.at }
  const exchanges: ExchangeWithRuns[] = []
  for (let at = 0; at < stored.length; at += atOnce)
    exchanges.push(
      ...(await Promise.all(stored.slice(at, at + atOnce).map((each) => readConversation(vault, each, null)))),
    )
  const tree = chat.head === undefined ? undefined : treeOfWhole(exchanges, stored, chat)
  if (!tree) link(exchanges, stored, chat)
  const path = new Map(tree?.path.map(({ exchange, run }) => [exchange.id, run.id]))
  const shownIds = new Map(exchanges.map((each) => [each.exchange.id, shownIdOf(each, path.get(each.exchange.id))]))
  const messages = exchanges.map((each) => messageOf(each, shownIds.get(each.exchange.id) ?? each.exchange.id))
  const head = tree?.path.at(-1)?.run.id
  const isBranched = tree !== undefined && path.size < exchanges.length
  return { channel, exchanges, messages, shownIds, head, isBranched, records: { channel: record, exchanges: stored } }
}

/** The tree of a chat with branches; each exchange gets the run that it follows in it. */
function treeOfWhole(
  exchanges: readonly ExchangeWithRuns[],
  stored: readonly StoredExchange[],
  chat: ChatRecord,
): ChatTree {
  const old = exchanges.filter((_, index) => stored[index] && isOldForm(stored[index].record))
  const oldRunIds = new Map(old.map(({ exchange, runs }) => [exchange.id, runs.at(-1)?.id ?? exchange.id]))
  const plain = stored.map(({ record }) => ({ ...record, isOld: isOldForm(record) }))
  const runs = stored.flatMap((each) => each.runs)
  const tree = chatTreeOf(chat, plain, runs, oldRunIds)
  for (const { exchange } of exchanges) {
    const placed = tree.tree.exchanges.get(exchange.id)
    exchange.afterRunId = placed ? tree.tree.parentOf(placed) : null
  }
  return tree
}

/**
 * Gives each exchange the run that it follows. A Message of version 2 follows what stands before it; an exchange that
 * could not be read when another one followed it is named by its own id.
 */
function link(exchanges: readonly ExchangeWithRuns[], stored: readonly StoredExchange[], chat: ChatRecord): void {
  const newest = new Map(exchanges.map(({ exchange, runs }) => [exchange.id, runs.at(-1)?.id ?? exchange.id]))
  const known = new Set(exchanges.flatMap(({ runs }) => runs.map(({ id }) => id)))
  let last: string | null = null
  for (const [index, { exchange }] of exchanges.entries()) {
    const { form, afterRunId = null } = stored[index]?.record ?? {}
    const follows = form === undefined ? last : standInOf(chat, afterRunId)
    exchange.afterRunId = follows === null || known.has(follows) ? follows : (newest.get(follows) ?? last)
    last = newest.get(exchange.id) ?? last
  }
}

/** The message that shows the newest run of an exchange. */
export const shownMessage = (each: ExchangeWithRuns): Message => messageOf(each, shownIdOf(each))

/** The run that an exchange shows: the whole answer that the path goes through, or the newest. */
function shownIdOf({ exchange, runs }: ExchangeWithRuns, runId?: string): string {
  const shown = runId === undefined ? undefined : versionOf(treeOf([exchange], runs), runId)
  return shown?.id ?? runs.at(-1)?.id ?? exchange.id
}

/** Removes a channel on the person's request, also with unreadable records. */
export async function removeChannel(
  records: WritableRecords,
  channelId: string,
  userId: string | undefined,
): Promise<void> {
  const chatId = chatIdOf(channelId, userId)
  await Promise.all([
    records.removeAny('channels', channelId),
    records.removeAny('chats', chatId),
    records.removeAny('exchanges', exchangesOf(chatId)),
    records.removeAny('runs', runsOf(chatId)),
    records.removeAny('summaries', summaryRange(chatId)),
    records.removeAny('drafts', channelId),
    records.removeAny('drafts', queueRange(channelId)),
    // Deleting a chat includes the copies that imports kept.
    records.removeAny('undo', undoRange(channelId)),
    removeSources(records, channelId),
    records.removeNote(readMarkId(channelId)),
  ])
}

/** Removes the messages of a channel on the person's request, also unreadable ones. */
export async function clearChat(
  records: WritableRecords,
  channelId: string,
  userId: string | undefined,
): Promise<void> {
  const chatId = chatIdOf(channelId, userId)
  // The last position stays, so that a cursor of a removed message never points to a new one.
  const { lastPosition } = (await records.read('chats').get(chatId)) ?? emptyChat(channelId, userId)
  await records.removeAny('exchanges', exchangesOf(chatId))
  await records.removeAny('runs', runsOf(chatId))
  await records.removeAny('summaries', summaryRange(chatId))
  await records.removeAny('drafts', queueRange(channelId))
  await records.put('chats', reshaped({ ...emptyChat(channelId, userId), lastPosition }))
}

/**
 * Removes the records that were read and copied, but not the draft. `hasEveryRun`: the copy has the earlier runs too;
 * without them these stay on this device, under their exchange, and are there again when the chat comes back.
 * `documents`: of the sources that were copied. Throws channel.copy-differs where anything was written since.
 */
export async function removeCopied(
  records: WritableRecords,
  whole: WholeChannel,
  {
    userId,
    hasEveryRun,
    documents,
  }: { userId: string | undefined; hasEveryRun: boolean; documents: readonly DocumentRecord[] },
): Promise<void> {
  const { id } = whole.channel
  const chatId = chatIdOf(id, userId)
  const channel = await records.read('channels').get(id)
  const now = await records.exchanges(exchangesOf(chatId))
  const isSameChannel = isSame(channel, whole.records.channel) && channel?.at === whole.records.channel.at
  if (!isSameChannel || !isAsRead(now, whole)) throw new AppError('channel.copy-differs')
  const sources = (await records.read('documents').getAll(documentRange(id))).filter(isSourceRecord)
  const areAsRead = sources.every((record) =>
    documents.some((each) => each.id === record.id && isSameRecord(each, record)),
  )
  if (!areAsRead) throw new OutdatedRead()
  await records.removeReadable('documents', ...sources.map((record) => record.id))
  await removeContent(records, sources)
  await records.removeReadable('channels', id)
  await records.removeReadable('exchanges', exchangesOf(chatId))
  await records.removeReadable('chats', chatId)
  await records.removeAny('summaries', summaryRange(chatId))
  const copied = now.flatMap(({ record, runs }) => (hasEveryRun ? runs : chainOf(runs, whole.shownIds.get(record.id))))
  await records.removeReadable('runs', ...copied.map((run): RunKey => [run.chatId, run.exchangeId, run.id]))
}

type RunKey = [string, string, string]

/** Whether the exchanges of a chat are those that were read. */
export const isAsRead = (now: readonly StoredExchange[], { records: { exchanges } }: WholeChannel): boolean =>
  now.length === exchanges.length && now.every((stored, index) => isSameStored(stored, exchanges[index]))

/** All of a chat, as other copies of it have it. */
export const copyOf = ({ exchanges, head }: Pick<WholeChannel, 'exchanges' | 'head'>): ConversationCopy =>
  tidied({ exchanges, head: head ?? null })

/** Every record of a channel has been decrypted when it was read. */
export function noteWhole({ records }: WholeChannel, noteRead: NoteRead): void {
  noteRead({ table: 'channels', record: records.channel })
  for (const { record, runs } of records.exchanges)
    noteRead({ table: 'exchanges', record }, ...runs.map((run) => ({ table: 'runs' as const, record: run })))
}

/** The run that is shown, and those that it goes on with: the text of the message. */
function chainOf(runs: readonly RunRecord[], shownId: string | undefined): RunRecord[] {
  const chain = new Set(runs.filter(({ id }) => id === shownId))
  for (const { continues } of chain) {
    const before = runs.find(({ id }) => id === continues)
    if (before) chain.add(before)
  }
  return [...chain]
}

function isSame(one: SealedRecord | undefined, other: SealedRecord | undefined): boolean {
  return !!one && !!other && isSameRecord(one, other)
}

function isSameStored(one: StoredExchange, other: StoredExchange | undefined): boolean {
  return (
    isSame(one.record, other?.record) &&
    one.runs.length === other?.runs.length &&
    one.runs.every((run, index) => isSame(run, other.runs[index]))
  )
}
