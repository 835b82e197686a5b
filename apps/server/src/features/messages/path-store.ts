import { resolveHead, type Tree, treeOf } from '@parley/contract/conversation-tree'
import { and, eq, sql } from 'drizzle-orm'
import type { Db } from '../../db/client'
import { messages } from '../../db/schema/messages'
import { runs } from '../../db/schema/runs'
import type { OwnedChannel } from '../channels/public/channel-row-store'
import { fromStored } from './public/stored-text'

/** An exchange of a path, and the run of it that the path goes through. Positions grow along a path. */
export type PathStep = { mId: string; runId: string; position: number }
type StoredStep = PathStep & { isStanding: boolean }

/**
 * The way to a run, tombstones too, oldest first; empty for a run that is not there. Only older exchanges are followed,
 * so that it ends whatever is stored.
 */
async function wayTo(db: Db, { userId, channelId }: OwnedChannel, runId: string): Promise<StoredStep[]> {
  const stepOf = (isNext: ReturnType<typeof sql>) => sql`(
    select m.m_id, m.position, m.after_run_id, r.id as run_id, m.removed_at is null and r.removed_at is null as is_standing
    from runs r join messages m on m.channel_id = r.channel_id and m.m_id = r.m_id
    where r.channel_id = ${channelId} and m.owner_id = ${userId}::uuid and ${isNext} order by m.position desc limit 1)`
  const { rows } = await db.execute<{ mId: string; runId: string; position: string; isStanding: boolean }>(sql`
    with recursive way as (
      select head.* from ${stepOf(sql`r.id = ${runId}`)} head
      union all
      select before.* from way cross join lateral ${stepOf(sql`r.id = way.after_run_id and m.position < way.position`)} before
    )
    select m_id as "mId", run_id as "runId", position, is_standing as "isStanding" from way order by position`)
  return rows.map(({ position, ...step }) => ({ ...step, position: Number(position) }))
}

/** What is read of the way to a run, which may be a tombstone's: its standing exchanges. */
export async function pathTo(db: Db, which: OwnedChannel, runId: string | null): Promise<PathStep[]> {
  return runId === null ? [] : standing(await wayTo(db, which, runId))
}

/** The path to a head; where that does not stand, to the one that stands in its place. */
export async function pathToHead(
  db: Db,
  which: OwnedChannel,
  headRunId: string,
): Promise<{ headRunId: string | null; path: PathStep[] }> {
  const way = await wayTo(db, which, headRunId)
  if (way.at(-1)?.isStanding) return { headRunId, path: standing(way) }
  const resolved = resolveHead(await treeIn(db, which), headRunId)
  return { headRunId: resolved, path: await pathTo(db, which, resolved) }
}

const standing = (way: readonly StoredStep[]): PathStep[] =>
  way.filter(({ isStanding }) => isStanding).map(({ mId, runId, position }) => ({ mId, runId, position }))

/** The tree of a channel with branches, without its contents. */
export async function treeIn(db: Db, { userId, channelId }: OwnedChannel): Promise<Tree> {
  const exchanges = await db
    .select({
      id: messages.mId,
      afterRunId: messages.afterRunId,
      askedAt: messages.askedAt,
      removedAt: messages.removedAt,
    })
    .from(messages)
    .where(and(eq(messages.channelId, channelId), eq(messages.ownerId, userId)))
  const stored = await db
    .select({
      id: runs.id,
      exchangeId: runs.mId,
      status: runs.status,
      startedAt: runs.startedAt,
      continues: runs.continues,
      removedAt: runs.removedAt,
    })
    .from(runs)
    .where(and(eq(runs.channelId, channelId), eq(runs.ownerId, userId)))
  return treeOf(
    exchanges.map(({ askedAt, removedAt, ...exchange }) => ({
      ...{ ...exchange, channelId, question: [], askedAt: fromStored(askedAt) },
      ...(removedAt === null ? {} : { removedAt: removedAt.toISOString() }),
    })),
    stored.map(({ startedAt, continues, removedAt, ...run }) => ({
      ...{ ...run, channelId, answer: [], startedAt: fromStored(startedAt) },
      ...(continues === null ? {} : { continues }),
      ...(removedAt === null ? {} : { removedAt: removedAt.toISOString() }),
    })),
  )
}
