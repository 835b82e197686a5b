import { and, count, desc, eq, getTableColumns, inArray, isNull, lt, lte, sql } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/pg-core'
import type { Db } from '../../../db/client'
import { channels } from '../../../db/schema/channels'
import { messages } from '../../../db/schema/messages'
import { runs } from '../../../db/schema/runs'
import type { OwnedChannel } from '../../channels/public/channel-row-store'
import type { MessageRow, NewMessageRow } from './message-row'

const {
  search: _search,
  folded: _folded,
  previous: _previous,
  removedAt: _removedAt,
  ...columns
} = getTableColumns(messages)
/** The columns of a `MessageRow`. */
export const messageColumns = columns

/** Checks the owner in `channels`, so that an index scan alone finds the messages of the channel. */
export const isInOwnedChannel = ({ userId, channelId }: OwnedChannel) =>
  sql`${messages.channelId} = (select ${channels.id} from ${channels} where ${channels.id} = ${channelId} and ${channels.userId} = ${userId})`

/** `before` is a position; `offset` is the number of newer messages to skip. */
type NewestQuery = { limit: number; offset?: number; before?: number | undefined }

/** Newest first. */
export async function newestMessages(
  db: Db,
  which: OwnedChannel,
  { limit, offset = 0, before }: NewestQuery,
): Promise<MessageRow[]> {
  const isCandidate = and(isInOwnedChannel(which), before === undefined ? undefined : lt(messages.position, before))
  // An index-only scan finds the first position, so that the rows a far page skips are not read.
  const first = db
    .select({ position: messages.position })
    .from(messages)
    .where(isCandidate)
    .orderBy(desc(messages.position))
    .limit(1)
    .offset(offset)
  return db
    .select(columns)
    .from(messages)
    .where(and(isCandidate, offset === 0 ? undefined : lte(messages.position, sql`(${first})`)))
    .orderBy(desc(messages.position))
    .limit(limit)
}

/** Those of these messages that exist, oldest first. */
export async function messagesOf(
  db: Db,
  { userId, channelId }: OwnedChannel,
  mIds: readonly string[],
): Promise<MessageRow[]> {
  if (mIds.length === 0) return []
  return db
    .select(columns)
    .from(messages)
    .where(and(eq(messages.channelId, channelId), eq(messages.ownerId, userId), inArray(messages.mId, [...mIds])))
    .orderBy(messages.position)
}

/** The newest messages of each of several channels, oldest first within a channel. */
export async function newestOfEach(db: Db, owned: readonly OwnedChannel[], limit: number): Promise<MessageRow[]> {
  const newestOf = (which: OwnedChannel) =>
    db
      .select(columns)
      .from(messages)
      .where(and(isInOwnedChannel(which), isNull(messages.removedAt)))
      .orderBy(desc(messages.position))
      .limit(limit)
  const [first, second, ...others] = owned
  if (!first) return []
  const rows = await (second ? unionAll(newestOf(first), newestOf(second), ...others.map(newestOf)) : newestOf(first))
  return rows.toSorted((a, b) => a.position - b.position)
}

export async function countMessages(db: Db, which: OwnedChannel): Promise<number> {
  const [row] = await db.select({ all: count() }).from(messages).where(isInOwnedChannel(which))
  return row?.all ?? 0
}

/** On all branches of a channel that has some. */
export async function countStanding(db: Db, which: OwnedChannel): Promise<number> {
  const [row] = await db
    .select({ all: count() })
    .from(messages)
    .where(and(isInOwnedChannel(which), isNull(messages.removedAt)))
  return row?.all ?? 0
}

/** The answers on all branches, all versions of them. */
export async function countRuns(db: Db, { userId, channelId }: OwnedChannel): Promise<number> {
  const [row] = await db
    .select({ all: count() })
    .from(runs)
    .where(and(eq(runs.channelId, channelId), eq(runs.ownerId, userId), isNull(runs.removedAt)))
  return row?.all ?? 0
}

/** Appends the messages in their order. The channel must be locked; `lastPosition` is that of the locked row. */
export async function appendMessages(
  tx: Db,
  { userId, channelId }: OwnedChannel,
  lastPosition: number,
  rows: readonly NewMessageRow[],
): Promise<void> {
  if (rows.length === 0) return
  await tx
    .insert(messages)
    .values(rows.map((row, index) => ({ ...row, ownerId: userId, position: lastPosition + index + 1 })))
  await tx
    .update(channels)
    .set({ lastPosition: lastPosition + rows.length })
    .where(and(eq(channels.id, channelId), eq(channels.userId, userId)))
}

export async function deleteMessages(tx: Db, { userId, channelId }: OwnedChannel): Promise<void> {
  await tx.delete(messages).where(and(eq(messages.channelId, channelId), eq(messages.ownerId, userId)))
}
