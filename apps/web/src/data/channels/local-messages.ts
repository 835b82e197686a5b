// The messages of one channel in the device's storage: each is an exchange, shown with a run.
import type { Message } from '@parley/contract/chat'
import { removalOfExchange, resolveHead, type Tree, treeOf } from '@parley/contract/conversation-tree'
import { webLimits } from '@parley/contract/limits/web'
import type { ChatRecord } from '../local/database'
import type { Device } from '../local/device'
import { exchangeBefore, exchangeById, exchangesOf, runsOf, type StoredExchange } from '../local/exchange-records'
import { openMessage, shownRunId } from '../local/message-codec'
import { isOldForm, isSameRecord } from '../local/readable'
import { OutdatedRead, writeSealed } from '../local/write-sealed'
import type { MessagePage, Owner, PagePosition } from './channel-store'
import { assertOwner, chatIdOf, standInOf, summaryRange } from './chat-keys'
import { isSameChat, pathThrough, readTree, reshaped, versionsInLine, withHead } from './chat-tree'
import { readPage } from './local-message-page'
import { choiceOf, readPathPage, withPlace } from './local-path-page'

type OpenDevice = () => Promise<Device>

export async function readMessages(
  device: Device,
  channelId: string,
  { limit = webLimits.channels.messagePageSize, ...position }: PagePosition & { limit?: number },
): Promise<MessagePage> {
  const { db, vault, userId } = device
  const chat = await db.get('chats', chatIdOf(channelId, userId))
  if (!chat) return { messages: [], cursor: undefined, newer: undefined, total: 0 }
  const tree = chat.head === undefined ? undefined : await readTree(device, channelId)
  if (tree) return readPathPage(device, tree, { ...position, limit })
  const { exchanges, ...cursors } = await readPage(
    { db, userId, channelId, lastPosition: chat.lastPosition },
    { ...position, limit },
  )
  const opened = await Promise.all(exchanges.map((stored) => openMessage(vault, stored)))
  const shown = exchanges.map((stored, index) => shownIn(stored, opened[index]))
  const messages = opened.flatMap((message, index) => {
    const stored = exchanges[index]
    if (!stored) return []
    const before = index > 0 ? shown[index - 1] : cursors.cursor === undefined ? null : followedBy(chat, stored)
    return inLine(message, stored, before)
  })
  return { messages, ...cursors, total: chat.count }
}

/** The run that an exchange of a line shows, once it was read. */
const shownIn = ({ record, runs }: StoredExchange, message: Message | undefined): string =>
  isOldForm(record) ? (message?.run?.messageId ?? record.id) : (runs.at(-1)?.id ?? record.id)

const followedBy = (chat: ChatRecord, { record }: StoredExchange): string | null | undefined =>
  record.afterRunId === undefined ? undefined : standInOf(chat, record.afterRunId)

/** A message of a line, where only answers have versions. */
function inLine(message: Message, { runs }: StoredExchange, afterRunId: string | null | undefined): Message {
  const versions = versionsInLine(runs)
  return {
    ...message,
    ...(afterRunId === undefined ? {} : { afterRunId }),
    ...(versions === undefined ? {} : { versions }),
  }
}

/** `runId`: the answer to show; undefined where it is not stored. */
export async function readMessage(
  device: Device,
  channelId: string,
  mId: string,
  runId?: string,
): Promise<Message | undefined> {
  const { db, vault, userId } = device
  const chatId = chatIdOf(channelId, userId)
  const tx = db.transaction(['chats', 'exchanges', 'runs'])
  const chat = await tx.objectStore('chats').get(chatId)
  const stored = await exchangeById(tx, chatId, mId)
  if (!chat || !stored) return undefined
  if (runId !== undefined && !isOldForm(stored.record) && !stored.runs.some(({ id }) => id === runId)) return undefined
  const tree = chat.head === undefined ? undefined : await readTree(device, channelId)
  if (!tree) {
    const before = await exchangeBefore(db.transaction(['exchanges', 'runs']), chatId, stored.record.position)
    const opened = await openMessage(vault, stored, runId === undefined ? undefined : { runId })
    return inLine(opened, stored, before ? await shownRunId(vault, before) : null)
  }
  const step = pathThrough(tree, mId, runId).find(({ exchange }) => exchange.id === mId)
  if (!step) return openMessage(vault, stored)
  return withPlace(await openMessage(vault, stored, choiceOf(tree, step)), tree, step)
}

/** The ids of all messages, also of those that cannot be read. */
export async function readMessageIds({ db, userId }: Device, channelId: string): Promise<Set<string>> {
  const ids = new Set<string>()
  const chatId = chatIdOf(channelId, userId)
  const range = IDBKeyRange.bound([chatId, ''], [chatId, '\uffff'])
  for (
    let cursor = await db.transaction('exchanges').store.index('byId').openKeyCursor(range);
    cursor;
    cursor = await cursor.continue()
  )
    ids.add(cursor.key[1])
  return ids
}

/**
 * Removes an exchange with its runs; what followed it follows what it followed. The head goes to what stands: answers
 * whether other messages may be on the path then.
 */
export function removeMessage(
  openDevice: OpenDevice,
  { channelId, mId }: Pick<Message, 'channelId' | 'mId'>,
  of: Owner | undefined,
): Promise<boolean> {
  return writeSealed(openDevice, ['chats', 'exchanges', 'runs', 'summaries'], async (device) => {
    const { db, vault, userId } = device
    assertOwner(of, userId)
    const chatId = chatIdOf(channelId, userId)
    const tx = db.transaction(['chats', 'exchanges', 'runs'])
    const before = await tx.objectStore('chats').get(chatId)
    const known = await exchangeById(tx, chatId, mId)
    const previous = known && (await exchangeBefore(tx, chatId, known.record.position))
    const places = known && (await placesOf(known, previous, (stored) => shownRunId(vault, stored)))
    const chatTree = known && before?.head !== undefined ? await readTree(device, channelId) : undefined
    const removed = chatTree && { ...chatTree, ...withoutExchange(chatTree.tree, mId, chatTree.chat) }
    return async (records) => {
      const chat = await records.read('chats').get(chatId)
      const now = await records.exchange(chatId, mId)
      if (!chat || !now) return false
      if (!known || !places || !isSameRecord(now.record, known.record)) throw new OutdatedRead()
      if (!isSameChat(chat, before)) throw new OutdatedRead()
      const { position } = known.record
      const isLast = (await records.read('exchanges').getKey(exchangesOf(chatId, position + 1))) === undefined
      const exchange = removed?.tree.exchanges.get(mId)
      const after = removed && exchange ? removed.tree.parentOf(exchange) : standInOf(chat, places.afterRunId)
      const runIds = [mId, ...places.runIds, ...now.runs.map(({ id }) => id)]
      const standIns = { ...chat.standIns, ...Object.fromEntries(runIds.map((id) => [id, after])) }
      await records.removeAny('exchanges', [chatId, position])
      await records.removeAny('runs', runsOf(chatId, mId))
      await records.removeAny('summaries', summaryRange(chatId, mId))
      const shape = removed ? withHead(chat, removed.head, now.runs) : chat
      await records.put('chats', reshaped(shape, { count: chat.count - 1, ...(isLast ? {} : { standIns }) }))
      return removed !== undefined
    }
  })
}

/** The head of a tree after one of its exchanges was removed, by the rule for tombstones. */
function withoutExchange(tree: Tree, exchangeId: string, { head }: ChatRecord): { head: string | null } {
  const { exchanges, runs } = removalOfExchange(tree, exchangeId, new Date().toISOString())
  const removed = treeOf([...tree.exchanges.values(), ...exchanges], [...tree.runs.values(), ...runs])
  return { head: resolveHead(removed, head ?? null) }
}

/** The run that an exchange follows, and by which ids others may follow a Message of version 2. */
async function placesOf(
  { record, runs }: StoredExchange,
  before: StoredExchange | undefined,
  runIdOf: (stored: StoredExchange) => Promise<string>,
): Promise<{ runIds: string[]; afterRunId: string | null }> {
  if (!isOldForm(record)) return { runIds: [], afterRunId: record.afterRunId ?? null }
  // While it could not be read, its own id stood for its run.
  return { runIds: [record.id, await runIdOf({ record, runs })], afterRunId: before ? await runIdOf(before) : null }
}
