import { and, eq, getTableColumns, inArray, isNotNull, isNull, ne, notExists, or, sql } from 'drizzle-orm'
import type { Db } from '../../db/client'
import { channels } from '../../db/schema/channels'
import { messageReceipts, messages } from '../../db/schema/messages'
import type { OwnedChannel } from '../channels/public/channel-row-store'
import type { MessageRow } from '../messages/public/message-row'

export type Receipt = { channelId: string; mId: string; userId: string; receivedAt: Date; readAt: Date | null }

/** Messages of the channel that somebody else wrote; with an id only that one. */
const isByOthers = ({ userId, channelId }: OwnedChannel, readerId: string, mId?: string) =>
  and(
    eq(messages.channelId, channelId),
    eq(messages.ownerId, userId),
    isNull(messages.removedAt),
    or(isNull(messages.authorUserId), ne(messages.authorUserId, readerId)),
    mId === undefined ? undefined : eq(messages.mId, mId),
  )

/** Keeps an earlier receipt, and skips the reader's own messages. Returns how many receipts it inserted. */
export async function insertReceived(
  db: Db,
  which: OwnedChannel,
  readerId: string,
  now: Date,
  mId: string,
): Promise<number> {
  const { rowCount } = await db
    .insert(messageReceipts)
    .select(receiptsOf(db, which, { readerId, mId, now, readAt: null }))
    .onConflictDoNothing()
  return rowCount ?? 0
}

/**
 * Marks one message, or all in the channel, as read. Returns how many were unread. The selection leaves out messages
 * that are already read: the upsert locks each conflicting row, thousands of a long channel for one new message.
 */
export async function markRead(
  db: Db,
  which: OwnedChannel,
  readerId: string,
  now: Date,
  mId?: string,
): Promise<number> {
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

type ReceiptValues = { readerId: string; mId: string | undefined; now: Date; readAt: Date | null }

const receiptsOf = (db: Db, which: OwnedChannel, { readerId, mId, now, readAt }: ReceiptValues) =>
  db
    .select({
      channelId: messages.channelId,
      mId: messages.mId,
      userId: sql<string>`${readerId}::uuid`.as('user_id'),
      receivedAt: sql<Date>`${now.toISOString()}::timestamptz`.as('received_at'),
      readAt: sql<Date | null>`${readAt?.toISOString() ?? null}::timestamptz`.as('read_at'),
    })
    .from(messages)
    .where(and(isByOthers(which, readerId, mId), readAt === null ? undefined : notExists(readBy(db, readerId))))

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
export async function receiptsFor(
  db: Db,
  { userId, channelId }: OwnedChannel,
  mIds: readonly string[],
): Promise<Receipt[]> {
  if (mIds.length === 0) return []
  return db
    .select(getTableColumns(messageReceipts))
    .from(messageReceipts)
    .innerJoin(channels, and(eq(channels.id, messageReceipts.channelId), eq(channels.userId, userId)))
    .where(and(eq(messageReceipts.channelId, channelId), inArray(messageReceipts.mId, [...mIds])))
}

/** The receipts of messages of several channels, each of which belongs to the messages' owner. */
export async function receiptsOfAll(
  db: Db,
  rows: readonly Pick<MessageRow, 'ownerId' | 'channelId' | 'mId'>[],
): Promise<Receipt[]> {
  if (rows.length === 0) return []
  const owners = new Map(rows.map(({ ownerId, channelId }) => [channelId, ownerId]))
  const conditions = [...owners].map(([channelId, ownerId]) => {
    const mIds = rows.filter((row) => row.channelId === channelId).map(({ mId }) => mId)
    return and(
      eq(messageReceipts.channelId, channelId),
      eq(channels.userId, ownerId),
      inArray(messageReceipts.mId, mIds),
    )
  })
  return db
    .select(getTableColumns(messageReceipts))
    .from(messageReceipts)
    .innerJoin(channels, eq(channels.id, messageReceipts.channelId))
    .where(or(...conditions))
}

/** The authors of those of these messages that exist; null for an imported or a deleted author. */
export async function authorsOf(
  db: Db,
  { userId, channelId }: OwnedChannel,
  mIds: readonly string[],
): Promise<{ mId: string; authorUserId: string | null }[]> {
  return db
    .select({ mId: messages.mId, authorUserId: messages.authorUserId })
    .from(messages)
    .where(
      and(
        eq(messages.channelId, channelId),
        eq(messages.ownerId, userId),
        inArray(messages.mId, [...mIds]),
        isNull(messages.removedAt),
      ),
    )
}
