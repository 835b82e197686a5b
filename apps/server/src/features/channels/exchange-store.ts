import { and, eq, exists, getTableColumns, sql } from 'drizzle-orm'
import type { Db } from '../../db/client'
import { channels, messages } from '../../db/schema'
import type { Own } from './channel-store'
import type { MessageRow } from './message-row'

const { search: _search, folded: _folded, previous: _previous, ...columns } = getTableColumns(messages)

/** One run's place: the exchange that it writes, as long as no later run has taken its place. */
export type RunPlace = Own & { mId: string; messageId: string }

const ofChannel = ({ userId, channelId }: Own) => and(eq(channels.id, channelId), eq(channels.userId, userId))
const ofExchange = ({ userId, channelId, mId }: Own & { mId: string }) =>
  and(eq(messages.channelId, channelId), eq(messages.mId, mId), eq(messages.ownerId, userId))
const ofRun = (place: RunPlace) => and(ofExchange(place), eq(messages.runMessageId, place.messageId), eq(messages.status, 'streaming'))

/** Makes room for new messages at the end and locks the channel until the transaction ends. Answers the last position, undefined where there is no such channel. */
export async function moveChannel(tx: Db, which: Own, { added, now }: { added: number; now: Date }): Promise<number | undefined> {
  const [row] = await tx
    .update(channels)
    .set({ updatedAt: now, lastPosition: sql`${channels.lastPosition} + ${added}` })
    .where(ofChannel(which))
    .returning({ lastPosition: channels.lastPosition })
  return row?.lastPosition
}

/** False when the channel has a message with this id. */
export async function insertExchange(tx: Db, row: typeof messages.$inferInsert): Promise<boolean> {
  const { rowCount } = await tx.insert(messages).values(row).onConflictDoNothing()
  return rowCount === 1
}

export async function lockExchange(tx: Db, which: Own & { mId: string }): Promise<MessageRow | undefined> {
  const [row] = await tx.select(columns).from(messages).where(ofExchange(which)).for('update')
  return row
}

export async function updateExchange(tx: Db, which: Own & { mId: string }, change: Partial<typeof messages.$inferInsert>): Promise<void> {
  await tx.update(messages).set(change).where(ofExchange(which))
}

/** The channel first, as everywhere, so that nobody waits for each other. False where the exchange is gone or a later run writes it. */
export async function touchChannelOf(tx: Db, place: RunPlace, now: Date): Promise<boolean> {
  const standing = tx.select({ mId: messages.mId }).from(messages).where(ofRun(place))
  const { rowCount } = await tx
    .update(channels)
    .set({ updatedAt: now })
    .where(and(ofChannel(place), exists(standing)))
  return rowCount === 1
}

/** Changes what this run writes; without effect once it is over, deleted or taken over. */
export async function updateRun(db: Db, place: RunPlace, change: Partial<typeof messages.$inferInsert>): Promise<void> {
  await db.update(messages).set(change).where(ofRun(place))
}

/** Whose channel a run writes in. */
export async function ownerOfRun(tx: Db, { channelId, mId, messageId }: Omit<RunPlace, 'userId'>): Promise<string | undefined> {
  const [row] = await tx
    .select({ ownerId: messages.ownerId })
    .from(messages)
    .where(and(eq(messages.channelId, channelId), eq(messages.mId, mId), eq(messages.runMessageId, messageId), eq(messages.status, 'streaming')))
  return row?.ownerId
}

export async function ownerOfExchange(tx: Db, { channelId, mId }: Pick<RunPlace, 'channelId' | 'mId'>): Promise<string | undefined> {
  const [row] = await tx
    .select({ ownerId: messages.ownerId })
    .from(messages)
    .where(and(eq(messages.channelId, channelId), eq(messages.mId, mId)))
  return row?.ownerId
}

export async function lockRun(tx: Db, place: RunPlace): Promise<MessageRow | undefined> {
  const [row] = await tx.select(columns).from(messages).where(ofRun(place)).for('update')
  return row
}

/** What `previous` of a run that is not over says. */
export async function previousOfRun(tx: Db, place: RunPlace): Promise<string | null> {
  const [row] = await tx.select({ previous: messages.previous }).from(messages).where(ofRun(place)).for('update')
  return row?.previous ?? null
}
