import { and, asc, desc, eq, gte, inArray, isNull, lt, or, sql } from 'drizzle-orm'
import type { Db } from '../../db/client'
import { channelMembers, channels } from '../../db/schema/channels'
import { messages } from '../../db/schema/messages'
import type { OwnedChannel } from '../channels/public/channel-row-store'
import type { MessageRow } from './public/message-row'
import { isInOwnedChannel, messageColumns } from './public/message-store'

/** A message of a channel together with the channel's owner. */
type OwnedMessage = OwnedChannel & { mId: string }

const isOfChannel = ({ userId, channelId }: OwnedChannel) =>
  and(eq(messages.channelId, channelId), eq(messages.ownerId, userId))

/** The messages from this position on, oldest first. */
export async function nextMessages(
  db: Db,
  which: OwnedChannel,
  { from, limit }: { from: number; limit: number },
): Promise<MessageRow[]> {
  return db
    .select(messageColumns)
    .from(messages)
    .where(and(isInOwnedChannel(which), gte(messages.position, from)))
    .orderBy(asc(messages.position))
    .limit(limit)
}

/** The pinned messages before this position, newest first. */
export async function pinnedBefore(
  db: Db,
  which: OwnedChannel,
  { before, limit }: { before: number; limit: number },
): Promise<MessageRow[]> {
  return db
    .select(messageColumns)
    .from(messages)
    .where(and(isInOwnedChannel(which), eq(messages.isPinned, true), lt(messages.position, before)))
    .orderBy(desc(messages.position))
    .limit(limit)
}

export async function hasMessagesFrom(db: Db, which: OwnedChannel, position: number): Promise<boolean> {
  const rows = await db
    .select({ position: messages.position })
    .from(messages)
    .where(and(isInOwnedChannel(which), gte(messages.position, position)))
    .limit(1)
  return rows.length > 0
}

export async function positionOf(db: Db, which: OwnedMessage): Promise<number | undefined> {
  const [row] = await db
    .select({ position: messages.position })
    .from(messages)
    .where(and(isOfChannel(which), eq(messages.mId, which.mId)))
  return row?.position
}

export async function findMessage(db: Db, which: OwnedMessage): Promise<MessageRow | undefined> {
  const [row] = await db
    .select(messageColumns)
    .from(messages)
    .where(and(isOfChannel(which), eq(messages.mId, which.mId), isNull(messages.removedAt)))
  return row
}

/** The channels that this person is in and that contain a message with this id. */
export async function channelsWith(db: Db, userId: string, mId: string): Promise<string[]> {
  const shared = db
    .select({ channelId: channelMembers.channelId })
    .from(channelMembers)
    .where(eq(channelMembers.userId, userId))
  const rows = await db
    .select({ channelId: messages.channelId })
    .from(messages)
    .where(
      and(
        eq(messages.mId, mId),
        isNull(messages.removedAt),
        or(eq(messages.ownerId, userId), inArray(messages.channelId, shared)),
      ),
    )
  return rows.map(({ channelId }) => channelId)
}

/** Which of these ids the channel has already. */
export async function existingIds(tx: Db, which: OwnedChannel, mIds: readonly string[]): Promise<Set<string>> {
  const rows = await tx
    .select({ mId: messages.mId })
    .from(messages)
    .where(and(isOfChannel(which), inArray(messages.mId, [...mIds])))
  return new Set(rows.map(({ mId }) => mId))
}

/** The ids of the messages from this position on. */
export async function idsFrom(tx: Db, which: OwnedChannel, position: number): Promise<string[]> {
  const rows = await tx
    .select({ mId: messages.mId })
    .from(messages)
    .where(and(isOfChannel(which), gte(messages.position, position)))
  return rows.map(({ mId }) => mId)
}

/** Deletes the messages from this position on, of a channel without branches. */
export async function deleteFrom(tx: Db, which: OwnedChannel, position: number): Promise<void> {
  await tx.delete(messages).where(and(isOfChannel(which), gte(messages.position, position)))
}

/** Who wrote any of these messages; null for somebody who is gone or elsewhere. */
export async function authorIdsOf(tx: Db, which: OwnedChannel, mIds: readonly string[]): Promise<(string | null)[]> {
  const rows = await tx
    .selectDistinct({ authorUserId: messages.authorUserId })
    .from(messages)
    .where(and(isOfChannel(which), inArray(messages.mId, [...mIds])))
  return rows.map(({ authorUserId }) => authorUserId)
}

/** `authorId`: deletes the message only if this person wrote it. */
export async function deleteMessage(db: Db, which: OwnedMessage, authorId?: string): Promise<boolean> {
  const rows = await db
    .delete(messages)
    .where(
      and(
        isOfChannel(which),
        eq(messages.mId, which.mId),
        authorId === undefined ? undefined : eq(messages.authorUserId, authorId),
      ),
    )
    .returning({ mId: messages.mId })
  return rows.length > 0
}

/**
 * Deletes what this person wrote in unlocked channels that they are in, and locks these channels first, as every writer
 * does. Returns the channel of each message. `toErase`: what they wrote in channels with branches, where it is left.
 */
export async function deleteMessagesBy(
  tx: Db,
  authorId: string,
): Promise<{ deleted: OwnedChannel[]; toErase: (OwnedChannel & { mIds: string[] })[] }> {
  const shared = tx
    .select({ channelId: channelMembers.channelId })
    .from(channelMembers)
    .where(eq(channelMembers.userId, authorId))
  const written = tx.select({ channelId: messages.channelId }).from(messages).where(eq(messages.authorUserId, authorId))
  const unlocked = await tx
    .select({ id: channels.id, userId: channels.userId, headRunId: channels.headRunId })
    .from(channels)
    .where(
      and(
        eq(channels.isLocked, false),
        inArray(channels.id, written),
        or(eq(channels.userId, authorId), inArray(channels.id, shared)),
      ),
    )
    .orderBy(channels.id)
    .for('update')
  const linear = unlocked.filter(({ headRunId }) => headRunId === null)
  const channelIds = sql`${sql.param(linear.map(({ id }) => id))}::text[]`
  const deleted = await tx
    .delete(messages)
    .where(and(eq(messages.authorUserId, authorId), sql`${messages.channelId} = any(${channelIds})`))
    .returning({ userId: messages.ownerId, channelId: messages.channelId })
  const toErase: (OwnedChannel & { mIds: string[] })[] = []
  for (const { id: channelId, userId, headRunId } of unlocked) {
    if (headRunId === null) continue
    const which = { userId, channelId }
    const rows = await tx
      .select({ mId: messages.mId })
      .from(messages)
      .where(and(isOfChannel(which), eq(messages.authorUserId, authorId), isNull(messages.removedAt)))
    if (rows.length > 0) toErase.push({ ...which, mIds: rows.map(({ mId }) => mId) })
  }
  return { deleted, toErase }
}
