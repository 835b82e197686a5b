import { and, eq, notExists, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Db } from '../../db/client'
import { messages } from '../../db/schema/messages'
import { runs } from '../../db/schema/runs'
import type { OwnedChannel } from '../channels/public/channel-row-store'
import type { RunKey } from './exchange-store'

/** The run whose text this one goes on with. */
export async function continuedRun(tx: Db, { userId, channelId, mId, messageId }: RunKey): Promise<string | undefined> {
  const [row] = await tx
    .select({ continues: runs.continues })
    .from(runs)
    .where(and(eq(runs.channelId, channelId), eq(runs.mId, mId), eq(runs.id, messageId), eq(runs.ownerId, userId)))
  return row?.continues ?? undefined
}

/** What the runs of a channel have cost together, in whole nano-dollars. */
export async function costOfRuns(db: Db, { userId, channelId }: OwnedChannel): Promise<string> {
  const [row] = await db
    .select({ cost: sql<string>`coalesce(sum(${runs.cost}), 0)::text` })
    .from(runs)
    .where(and(eq(runs.channelId, channelId), eq(runs.ownerId, userId)))
  return row?.cost ?? '0'
}

type RunChange = Partial<typeof runs.$inferInsert>

/**
 * Changes a run that a later one of its exchange took the place of while it was written: the message shows it no more,
 * so no trigger does. Has no effect on one that another run continues, whose text is what that one goes on with.
 */
export async function updateReplacedRun(
  tx: Db,
  { userId, channelId, mId, messageId }: RunKey,
  change: RunChange,
): Promise<void> {
  const continuing = alias(runs, 'continuing')
  const isOfExchange = and(eq(continuing.channelId, channelId), eq(continuing.mId, mId))
  const isShown = and(
    eq(messages.channelId, channelId),
    eq(messages.mId, mId),
    eq(messages.ownerId, userId),
    eq(messages.runMessageId, messageId),
  )
  await tx
    .update(runs)
    .set(change)
    .where(
      and(
        eq(runs.channelId, channelId),
        eq(runs.mId, mId),
        eq(runs.id, messageId),
        eq(runs.ownerId, userId),
        eq(runs.status, 'interrupted'),
        notExists(
          tx
            .select({ id: continuing.id })
            .from(continuing)
            .where(and(isOfExchange, eq(continuing.continues, messageId))),
        ),
        notExists(tx.select({ mId: messages.mId }).from(messages).where(isShown)),
      ),
    )
}
