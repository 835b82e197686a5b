import type { LocalDatabase, MessageRecord } from '../local/database'
import type { PagePlace } from './channel-store'
import { chatIdOf } from './chat-keys'

type Chat = { db: LocalDatabase; userId: string | undefined; channelId: string; lastPosition: number }
type Stretch = { records: MessageRecord[]; cursor: string | undefined; newer: string | undefined }

/** The records of a page of a chat, oldest first; none where the message to be around is not in it. */
export async function readPage(chat: Chat, { before, after, around, limit }: PagePlace & { limit: number }): Promise<Stretch> {
  const { db, userId, channelId, lastPosition } = chat
  if (around !== undefined) {
    const middle = await db.getFromIndex('messages', 'byId', [chatIdOf(channelId, userId), around])
    if (!middle) return { records: [], cursor: undefined, newer: undefined }
    const olderCount = Math.floor(limit / 2)
    const older = await recordsBefore(chat, middle.position, olderCount)
    return withCursors(chat, [...older, ...(await recordsFrom(chat, middle.position, limit - olderCount))])
  }
  if (after !== undefined) return withCursors(chat, await recordsFrom(chat, Number(after), limit))
  return withCursors(chat, await recordsBefore(chat, before === undefined ? lastPosition + 1 : Number(before), limit))
}

async function recordsBefore(chat: Chat, position: number, limit: number): Promise<MessageRecord[]> {
  const records: MessageRecord[] = []
  let end = position
  // Deleted messages leave gaps, so a stretch of positions may hold fewer than asked for.
  while (end > 0 && records.length < limit) {
    const start = Math.max(0, end - (limit - records.length))
    records.unshift(...(await chat.db.getAll('messages', between(chat, start, end))))
    end = start
  }
  return records
}

function recordsFrom(chat: Chat, position: number, limit: number): Promise<MessageRecord[]> {
  return chat.db.getAll('messages', between(chat, position, Number.MAX_SAFE_INTEGER), limit)
}

async function withCursors(chat: Chat, records: MessageRecord[]): Promise<Stretch> {
  const [first, last] = [records[0], records.at(-1)]
  const has = async (from: number, to: number): Promise<boolean> => (await chat.db.getKey('messages', between(chat, from, to))) !== undefined
  return {
    records,
    cursor: first && (await has(0, first.position)) ? String(first.position) : undefined,
    newer: last && (await has(last.position + 1, Number.MAX_SAFE_INTEGER)) ? String(last.position + 1) : undefined,
  }
}

/** Positions from the first one up to, and without, the second one. */
function between({ channelId, userId }: Chat, from: number, to: number): IDBKeyRange {
  const chatId = chatIdOf(channelId, userId)
  return IDBKeyRange.bound([chatId, from], [chatId, to], false, true)
}
