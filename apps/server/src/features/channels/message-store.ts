import { and, asc, count, desc, eq, getTableColumns, gte, inArray, lt, lte, or, sql } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/pg-core'
import type { Db } from '../../db/client'
import { channelMembers, channels, messages } from '../../db/schema'
import type { Own } from './channel-store'
import type { MessageRow } from './message-row'

const { search: _search, folded: _folded, previous: _previous, ...columns } = getTableColumns(messages)

const ownMessages = ({ userId, channelId }: Own) => and(eq(messages.channelId, channelId), eq(messages.ownerId, userId))

/** The same, told by the channel's owner: an index answers it without reading a message. */
const ofOwnChannel = ({ userId, channelId }: Own) =>
  sql`${messages.channelId} = (select ${channels.id} from ${channels} where ${channels.id} = ${channelId} and ${channels.userId} = ${userId})`

type Place = { limit: number; offset?: number; before?: number | undefined }

/** The newest before a position, or after skipping as many as `offset`; newest first. */
export async function newestMessages(db: Db, which: Own, { limit, offset = 0, before }: Place): Promise<MessageRow[]> {
  const isPlaced = and(ofOwnChannel(which), before === undefined ? undefined : lt(messages.position, before))
  // The place of the first one comes from the index alone: what a far page skips is not read.
  const first = db.select({ position: messages.position }).from(messages).where(isPlaced).orderBy(desc(messages.position)).limit(1).offset(offset)
  return db
    .select(columns)
    .from(messages)
    .where(and(isPlaced, offset === 0 ? undefined : lte(messages.position, sql`(${first})`)))
    .orderBy(desc(messages.position))
    .limit(limit)
}

/** The newest of each of several channels, those of one oldest first. */
export async function newestOfEach(db: Db, channels: readonly Own[], limit: number): Promise<MessageRow[]> {
  const of = (which: Own) => db.select(columns).from(messages).where(ofOwnChannel(which)).orderBy(desc(messages.position)).limit(limit)
  const [first, second, ...others] = channels
  if (!first) return []
  const rows = await (second ? unionAll(of(first), of(second), ...others.map(of)) : of(first))
  return rows.toSorted((a, b) => a.position - b.position)
}

/** From a position on, oldest first. */
export async function nextMessages(db: Db, which: Own, { from, limit }: { from: number; limit: number }): Promise<MessageRow[]> {
  return db
    .select(columns)
    .from(messages)
    .where(and(ofOwnChannel(which), gte(messages.position, from)))
    .orderBy(asc(messages.position))
    .limit(limit)
}

/** Whether there are messages from a position on. */
export async function hasMessagesFrom(db: Db, which: Own, from: number): Promise<boolean> {
  const rows = await db
    .select({ position: messages.position })
    .from(messages)
    .where(and(ofOwnChannel(which), gte(messages.position, from)))
    .limit(1)
  return rows.length > 0
}

export async function positionOf(db: Db, which: Own & { mId: string }): Promise<number | undefined> {
  const [row] = await db
    .select({ position: messages.position })
    .from(messages)
    .where(and(ownMessages(which), eq(messages.mId, which.mId)))
  return row?.position
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
