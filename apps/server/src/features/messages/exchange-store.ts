import { and, eq, exists, inArray, isNull, sql } from 'drizzle-orm'
import type { Db } from '../../db/client'
import { channels } from '../../db/schema/channels'
import { messages } from '../../db/schema/messages'
import { isOwnedChannel, type OwnedChannel } from '../channels/public/channel-row-store'
import { type MessageRow, shownRunOf } from './public/message-row'
import { messageColumns } from './public/message-store'

/** One run of an exchange. It is current until a later run replaces its `messageId` in the row. */
export type RunKey = OwnedChannel & { mId: string; messageId: string }
type ExchangeKey = OwnedChannel & { mId: string }
type ExchangeChange = Partial<typeof messages.$inferInsert>

/** A tombstone is none. */
const isExchange = ({ userId, channelId, mId }: ExchangeKey) =>
  and(
    eq(messages.channelId, channelId),
    eq(messages.mId, mId),
    eq(messages.ownerId, userId),
    isNull(messages.removedAt),
  )
const isRunning = (run: RunKey) =>
  and(isExchange(run), eq(messages.runMessageId, run.messageId), eq(messages.status, 'streaming'))

/**
 * Reserves positions for `added` new messages, updates the last activity, and locks the channel until the transaction
 * ends. Returns the last position; undefined where the channel does not exist.
 */
export async function reservePositions(
  tx: Db,
  which: OwnedChannel,
  { added, now }: { added: number; now: Date },
): Promise<number | undefined> {
  const [row] = await tx
    .update(channels)
    .set({ updatedAt: now, lastPosition: sql`${channels.lastPosition} + ${added}` })
    .where(isOwnedChannel(which))
    .returning({ lastPosition: channels.lastPosition })
  return row?.lastPosition
}

/** False when the channel already has a message with this id. */
export async function insertExchange(tx: Db, row: typeof messages.$inferInsert): Promise<boolean> {
  const { rowCount } = await tx.insert(messages).values(row).onConflictDoNothing()
  return rowCount === 1
}

/** The run that each of these exchanges shows, by exchange; none for one that was deleted. */
export async function shownRunsOf(
  db: Db,
  { userId, channelId }: OwnedChannel,
  mIds: readonly string[],
): Promise<Map<string, string>> {
  const rows = await db
    .select({ mId: messages.mId, runMessageId: messages.runMessageId })
    .from(messages)
    .where(
      and(
        eq(messages.channelId, channelId),
        eq(messages.ownerId, userId),
        inArray(messages.mId, [...mIds]),
        isNull(messages.removedAt),
      ),
    )
  return new Map(rows.map((row) => [row.mId, shownRunOf(row)]))
}

export async function lockExchange(tx: Db, which: ExchangeKey): Promise<MessageRow | undefined> {
  const [row] = await tx.select(messageColumns).from(messages).where(isExchange(which)).for('update')
  return row
}

export async function updateExchange(tx: Db, which: ExchangeKey, change: ExchangeChange): Promise<void> {
  await tx.update(messages).set(change).where(isExchange(which))
}

/**
 * Locks the channel before its message, as every transaction does, so that none of them deadlock. False where the run
 * is over, replaced or deleted.
 */
export async function touchChannelOfRun(tx: Db, run: RunKey, now: Date): Promise<boolean> {
  const running = tx.select({ mId: messages.mId }).from(messages).where(isRunning(run))
  const { rowCount } = await tx
    .update(channels)
    .set({ updatedAt: now })
    .where(and(isOwnedChannel(run), exists(running)))
  return rowCount === 1
}

/** Has no effect on a run that is over, replaced or deleted. */
export async function updateRun(db: Db, run: RunKey, change: ExchangeChange): Promise<void> {
  await db.update(messages).set(change).where(isRunning(run))
}

/** The owner of the channel in which this run is writing. */
export async function ownerOfRun(
  tx: Db,
  { channelId, mId, messageId }: Omit<RunKey, 'userId'>,
): Promise<string | undefined> {
  const [row] = await tx
    .select({ ownerId: messages.ownerId })
    .from(messages)
    .where(
      and(
        eq(messages.channelId, channelId),
        eq(messages.mId, mId),
        eq(messages.runMessageId, messageId),
        eq(messages.status, 'streaming'),
      ),
    )
  return row?.ownerId
}

export async function ownerOfExchange(
  tx: Db,
  { channelId, mId }: Pick<RunKey, 'channelId' | 'mId'>,
): Promise<string | undefined> {
  const [row] = await tx
    .select({ ownerId: messages.ownerId })
    .from(messages)
    .where(and(eq(messages.channelId, channelId), eq(messages.mId, mId)))
  return row?.ownerId
}

export async function lockRun(tx: Db, run: RunKey): Promise<MessageRow | undefined> {
  const [row] = await tx.select(messageColumns).from(messages).where(isRunning(run)).for('update')
  return row
}

/** The stored answer that this run replaces while it is running. */
export async function previousOfRun(tx: Db, run: RunKey): Promise<string | null> {
  const [row] = await tx.select({ previous: messages.previous }).from(messages).where(isRunning(run)).for('update')
  return row?.previous ?? null
}
