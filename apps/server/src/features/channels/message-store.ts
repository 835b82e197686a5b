import { and, count, desc, eq, getTableColumns, inArray, lt, or, sql } from 'drizzle-orm'
import type { Db } from '../../db/client'
import { channelMembers, channels, messages } from '../../db/schema'
import type { Own } from './channel-store'
import type { MessageRow } from './message-row'

const { search: _search, folded: _folded, ...columns } = getTableColumns(messages)

const ownMessages = ({ userId, channelId }: Own) => and(eq(messages.channelId, channelId), eq(messages.ownerId, userId))

/** The same, told by the channel's owner: an index answers it without reading a message. */
const ofOwnChannel = ({ userId, channelId }: Own) =>
  sql`${messages.channelId} = (select ${channels.id} from ${channels} where ${channels.id} = ${channelId} and ${channels.userId} = ${userId})`

type Place = { limit: number; offset?: number; before?: number | undefined }

/** The newest before a position, newest first. */
export async function newestMessages(db: Db, which: Own, { limit, offset = 0, before }: Place): Promise<MessageRow[]> {
  // The places first, from the index alone: what a far page skips is not read.
  const places = db
    .select({ position: messages.position })
    .from(messages)
    .where(and(ofOwnChannel(which), before === undefined ? undefined : lt(messages.position, before)))
    .orderBy(desc(messages.position))
    .limit(limit)
    .offset(offset)
  return db
    .select(columns)
    .from(messages)
    .where(and(ofOwnChannel(which), inArray(messages.position, places)))
    .orderBy(desc(messages.position))
}

export async function countMessages(db: Db, which: Own): Promise<number> {
  const [row] = await db.select({ all: count() }).from(messages).where(ofOwnChannel(which))
  return row?.all ?? 0
}

export async function findMessage(db: Db, which: Own & { mId: string }): Promise<MessageRow | undefined> {
  const [row] = await db
    .select(columns)
    .from(messages)
    .where(and(ownMessages(which), eq(messages.mId, which.mId)))
  return row
}

/** The channels that this person is in and that hold a message with this id. */
export async function channelsWith(db: Db, userId: string, mId: string): Promise<string[]> {
  const shared = db.select({ channelId: channelMembers.channelId }).from(channelMembers).where(eq(channelMembers.userId, userId))
  const rows = await db
    .select({ channelId: messages.channelId })
    .from(messages)
    .where(and(eq(messages.mId, mId), or(eq(messages.ownerId, userId), inArray(messages.channelId, shared))))
  return rows.map(({ channelId }) => channelId)
}

/** `authorId`: only if this person wrote it. */
export async function deleteMessage(db: Db, which: Own & { mId: string }, authorId?: string): Promise<boolean> {
  const rows = await db
    .delete(messages)
    .where(and(ownMessages(which), eq(messages.mId, which.mId), authorId === undefined ? undefined : eq(messages.authorUserId, authorId)))
    .returning({ mId: messages.mId })
  return rows.length > 0
}

export async function knownIds(tx: Db, which: Own, mIds: readonly string[]): Promise<Set<string>> {
  const rows = await tx
    .select({ mId: messages.mId })
    .from(messages)
    .where(and(ownMessages(which), inArray(messages.mId, [...mIds])))
  return new Set(rows.map(({ mId }) => mId))
}

export type NewMessage = Omit<typeof messages.$inferInsert, 'ownerId' | 'position' | 'search'>

/** After all others, in their order. The channel must be locked. */
export async function appendMessages(tx: Db, { userId, channelId }: Own, lastPosition: number, rows: readonly NewMessage[]): Promise<void> {
  if (rows.length === 0) return
  await tx.insert(messages).values(rows.map((row, index) => ({ ...row, ownerId: userId, position: lastPosition + index + 1 })))
  await tx
    .update(channels)
    .set({ lastPosition: lastPosition + rows.length })
    .where(and(eq(channels.id, channelId), eq(channels.userId, userId)))
}

export type FoundMessage = Pick<MessageRow, 'channelId' | 'mId' | 'question' | 'answer' | 'askedAt'> & { channelName: string }

/** Of so many of the newest messages that match, the best come first: ranking reads each of them. */
const maxRanked = 1_000

export async function findMessages(db: Db, userId: string, terms: readonly string[], limit: number): Promise<FoundMessage[]> {
  const words = sql`to_tsquery('simple', ${terms.map((term) => `${term}:*`).join(' & ')})`
  const { rows } = await db.execute<FoundMessage>(sql`
    with newest as materialized (
      select channel_id, m_id, search, updated_at from messages
      where owner_id = ${userId}::uuid and search @@ (${`'@${userId}'`}::tsquery && ${words})
      order by updated_at desc limit ${maxRanked}),
    best as materialized (
      select channel_id, m_id, updated_at, ts_rank(newest.search, ${words}) as rank from newest order by rank desc, updated_at desc limit ${limit})
    select m.channel_id as "channelId", m.m_id as "mId", m.question, m.answer, m.asked_at as "askedAt", c.channel_name as "channelName"
    from best join messages m using (channel_id, m_id) join channels c on c.id = m.channel_id and c.user_id = ${userId}::uuid
    order by best.rank desc, best.updated_at desc, m.position desc`)
  return rows
}
