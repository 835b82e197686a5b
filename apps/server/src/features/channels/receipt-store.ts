import { and, asc, count, desc, eq, getTableColumns, inArray, isNotNull, isNull, ne, notExists, or, sql } from 'drizzle-orm'
import type { Db } from '../../db/client'
import { channelMembers, channels, messageReceipts, messages } from '../../db/schema'
import type { Own } from './channel-store'
import type { MessageRow } from './message-row'

const { search: _search, folded: _folded, previous: _previous, ...columns } = getTableColumns(messages)

export type Receipt = { channelId: string; mId: string; userId: string; receivedAt: Date; readAt: Date | null }

/** Messages of this owner's channel that somebody else than the reader wrote; of one of them with an id. */
const othersIn = ({ userId, channelId }: Own, readerId: string, mId?: string) =>
  and(
    eq(messages.channelId, channelId),
    eq(messages.ownerId, userId),
    or(isNull(messages.authorUserId), ne(messages.authorUserId, readerId)),
    mId === undefined ? undefined : eq(messages.mId, mId),
  )

/** The first time counts; nothing is noted of what the reader wrote. Answers how many had not been received. */
export async function noteReceived(db: Db, which: Own, readerId: string, now: Date, mId: string): Promise<number> {
  const { rowCount } = await db
    .insert(messageReceipts)
    .select(receiptsOf(db, which, { readerId, mId, now, readAt: null }))
    .onConflictDoNothing()
  return rowCount ?? 0
}

/**
 * Of one message, or of all in the channel. Answers how many were unread. What was read before is left out of the selection, not only unchanged: each row of a
 * conflict would be locked, of a long channel thousands for one new message.
 */
export async function noteRead(db: Db, which: Own, readerId: string, now: Date, mId?: string): Promise<number> {
  const { rowCount } = await db
    .insert(messageReceipts)
    .select(receiptsOf(db, which, { readerId, mId, now, readAt: now }))
    .onConflictDoUpdate({
      target: [messageReceipts.channelId, messageReceipts.mId, messageReceipts.userId],
      set: { readAt: sql`excluded.read_at` },
      setWhere: isNull(messageReceipts.readAt),
    })
  return rowCount ?? 0
}

type Note = { readerId: string; mId: string | undefined; now: Date; readAt: Date | null }

const receiptsOf = (db: Db, which: Own, { readerId, mId, now, readAt }: Note) =>
  db
    .select({
      channelId: messages.channelId,
      mId: messages.mId,
      userId: sql<string>`${readerId}::uuid`.as('user_id'),
      receivedAt: sql<Date>`${now.toISOString()}::timestamptz`.as('received_at'),
      readAt: sql<Date | null>`${readAt?.toISOString() ?? null}::timestamptz`.as('read_at'),
    })
    .from(messages)
    .where(and(othersIn(which, readerId, mId), readAt === null ? undefined : notExists(readBy(db, readerId))))

const readBy = (db: Db, readerId: string) =>
  db
    .select({ mId: messageReceipts.mId })
    .from(messageReceipts)
    .where(
      and(
        eq(messageReceipts.channelId, messages.channelId),
        eq(messageReceipts.mId, messages.mId),
        eq(messageReceipts.userId, readerId),
        isNotNull(messageReceipts.readAt),
      ),
    )

/** All receipts of these messages of one owner's channel. */
export async function receiptsFor(db: Db, { userId, channelId }: Own, mIds: readonly string[]): Promise<Receipt[]> {
  if (mIds.length === 0) return []
  return db
    .select(getTableColumns(messageReceipts))
    .from(messageReceipts)
    .innerJoin(channels, and(eq(channels.id, messageReceipts.channelId), eq(channels.userId, userId)))
    .where(and(eq(messageReceipts.channelId, channelId), inArray(messageReceipts.mId, [...mIds])))
}

/** The receipts of messages of several channels, each of which belongs to the messages' owner. */
export async function receiptsOfAll(db: Db, rows: readonly Pick<MessageRow, 'ownerId' | 'channelId' | 'mId'>[]): Promise<Receipt[]> {
  if (rows.length === 0) return []
  const places = new Map(rows.map(({ ownerId, channelId }) => [channelId, ownerId]))
  const isWanted = [...places].map(([channelId, ownerId]) => {
    const mIds = rows.filter((row) => row.channelId === channelId).map(({ mId }) => mId)
    return and(eq(messageReceipts.channelId, channelId), eq(channels.userId, ownerId), inArray(messageReceipts.mId, mIds))
  })
  return db
    .select(getTableColumns(messageReceipts))
    .from(messageReceipts)
    .innerJoin(channels, eq(channels.id, messageReceipts.channelId))
    .where(or(...isWanted))
}

/** Who wrote which of these messages of one owner's channel; null where nobody is known. */
export async function authorsOf(db: Db, { userId, channelId }: Own, mIds: readonly string[]): Promise<{ mId: string; authorUserId: string | null }[]> {
  return db
    .select({ mId: messages.mId, authorUserId: messages.authorUserId })
    .from(messages)
    .where(and(eq(messages.channelId, channelId), eq(messages.ownerId, userId), inArray(messages.mId, [...mIds])))
}

/** Channels in which this person is a guest, or that they own and others are in. */
const sharedWith = (db: Db, readerId: string) =>
  db
    .select({ channelId: channelMembers.channelId })
    .from(channelMembers)
    .innerJoin(channels, eq(channels.id, channelMembers.channelId))
    .where(or(eq(channelMembers.userId, readerId), eq(channels.userId, readerId)))

const othersMessages = (db: Db, readerId: string) =>
  and(inArray(messages.channelId, sharedWith(db, readerId)), or(isNull(messages.authorUserId), ne(messages.authorUserId, readerId)))

/** Newest first. */
export async function directMessages(db: Db, readerId: string, { page, size }: { page: number; size: number }): Promise<MessageRow[]> {
  return db
    .select(columns)
    .from(messages)
    .where(othersMessages(db, readerId))
    .orderBy(desc(messages.updatedAt), asc(messages.channelId), desc(messages.position))
    .limit(size)
    .offset(page * size)
}

export async function countDirectMessages(db: Db, readerId: string): Promise<number> {
  const [row] = await db.select({ all: count() }).from(messages).where(othersMessages(db, readerId))
  return row?.all ?? 0
}

/** Deletes what this person wrote in channels that they are in and that are not locked. Answers where it was. */
export async function deleteWritten(tx: Db, authorId: string): Promise<Own[]> {
  const own = tx
    .select({ id: channels.id })
    .from(channels)
    .where(and(eq(channels.userId, authorId), eq(channels.isLocked, false)))
  const shared = tx
    .select({ id: channels.id })
    .from(channels)
    .innerJoin(channelMembers, and(eq(channelMembers.channelId, channels.id), eq(channelMembers.userId, authorId)))
    .where(eq(channels.isLocked, false))
  return tx
    .delete(messages)
    .where(and(eq(messages.authorUserId, authorId), or(inArray(messages.channelId, own), inArray(messages.channelId, shared))))
    .returning({ userId: messages.ownerId, channelId: messages.channelId })
}
