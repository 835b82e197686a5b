import { type Nano, storedNano } from '@parley/contract/money'
import { and, asc, eq, getTableColumns, inArray, isNull, sql } from 'drizzle-orm'
import type { Db } from '../../db/client'
import { messages } from '../../db/schema/messages'
import { summaries } from '../../db/schema/summaries'
import type { OwnedChannel } from '../channels/public/channel-row-store'

export type SummaryRow = typeof summaries.$inferSelect
/** `shownRunId`: the run that the exchange shows which the summary ends with. */
export type PlacedSummary = SummaryRow & { position: number; shownRunId: string }

const isOfChannel = ({ userId, channelId }: OwnedChannel) =>
  and(eq(summaries.channelId, channelId), eq(summaries.ownerId, userId))

/** The summaries of a channel whose exchanges stand, in the order of those. */
export async function summariesIn(db: Db, which: OwnedChannel): Promise<PlacedSummary[]> {
  return db
    .select({
      ...getTableColumns(summaries),
      position: messages.position,
      shownRunId: sql<string>`coalesce(${messages.runMessageId}::text, ${messages.mId})`,
    })
    .from(summaries)
    .innerJoin(messages, and(eq(messages.channelId, summaries.channelId), eq(messages.mId, summaries.mId)))
    .where(and(isOfChannel(which), eq(messages.ownerId, which.userId), isNull(messages.removedAt)))
    .orderBy(asc(messages.position))
}

/** Stores a summary while its exchange stands, and where its run has none. The channel must be locked. */
export async function insertSummary(tx: Db, row: SummaryRow): Promise<void> {
  const [standing] = await tx
    .select({ mId: messages.mId })
    .from(messages)
    .where(
      and(
        eq(messages.channelId, row.channelId),
        eq(messages.ownerId, row.ownerId),
        eq(messages.mId, row.mId),
        isNull(messages.removedAt),
      ),
    )
  if (standing) await tx.insert(summaries).values(row).onConflictDoNothing()
}

/** False where there is no such summary. */
export async function updateSummary(
  tx: Db,
  { id, ...which }: OwnedChannel & { id: string },
  change: Partial<Pick<SummaryRow, 'text' | 'isEdited' | 'isUndone'>>,
): Promise<boolean> {
  const { rowCount } = await tx
    .update(summaries)
    .set(change)
    .where(and(isOfChannel(which), eq(summaries.id, id)))
  return rowCount === 1
}

/** Deletes the summaries that end with one of these exchanges. */
export async function deleteSummariesOf(tx: Db, which: OwnedChannel, mIds: readonly string[]): Promise<void> {
  await tx.delete(summaries).where(and(isOfChannel(which), inArray(summaries.mId, [...mIds])))
}

/** Stores what a summary has cost, once the gateway has told it. */
export async function updateSummaryCost(
  tx: Db,
  { id, authorUserId, cost }: { id: string; authorUserId: string; cost: Nano },
): Promise<void> {
  await tx
    .update(summaries)
    .set({ cost })
    .where(and(eq(summaries.id, id), eq(summaries.authorUserId, authorUserId)))
}

/** What the summaries of a channel have cost together. */
export async function costOfSummaries(db: Db, which: OwnedChannel): Promise<Nano> {
  const [row] = await db
    .select({ cost: sql<string>`coalesce(sum(${summaries.cost}), 0)::text` })
    .from(summaries)
    .where(isOfChannel(which))
  return storedNano(row?.cost ?? '0')
}
