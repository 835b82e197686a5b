import type { Run } from '@parley/contract/conversations'
import { and, asc, eq, inArray, isNull, or, sql } from 'drizzle-orm'
import type { Db } from '../../db/client'
import { messages } from '../../db/schema/messages'
import { runs } from '../../db/schema/runs'
import type { OwnedChannel } from '../channels/public/channel-row-store'
import { fromStored } from './public/stored-text'
import { runOf } from './run-row'

const isRunOf = ({ userId, channelId }: OwnedChannel, mIds: readonly string[]) =>
  and(eq(runs.channelId, channelId), eq(runs.ownerId, userId), inArray(runs.mId, [...mIds]))
const isOfChannel = ({ userId, channelId }: OwnedChannel) =>
  and(eq(messages.channelId, channelId), eq(messages.ownerId, userId))

/** The standing runs of exchanges, without their answers. */
export async function runHeadsOf(db: Db, which: OwnedChannel, mIds: readonly string[]): Promise<Run[]> {
  if (mIds.length === 0) return []
  const rows = await db
    .select({
      id: runs.id,
      exchangeId: runs.mId,
      status: runs.status,
      startedAt: runs.startedAt,
      continues: runs.continues,
    })
    .from(runs)
    .where(and(isRunOf(which, mIds), isNull(runs.removedAt)))
  return rows.map(({ startedAt, continues, ...run }) => ({
    ...{ ...run, channelId: which.channelId, answer: [], startedAt: fromStored(startedAt) },
    ...(continues === null ? {} : { continues }),
  }))
}

/** The runs of exchanges, oldest first. */
export async function runsOf(db: Db, which: OwnedChannel, mIds: readonly string[]): Promise<Run[]> {
  if (mIds.length === 0) return []
  const rows = await db
    .select()
    .from(runs)
    .where(isRunOf(which, mIds))
    .orderBy(sql`${runs.startedAt} collate "C"`, sql`${runs.id} collate "C"`)
  return rows.map(runOf)
}

/** The standing exchanges that follow one of these runs, or begin the conversation (null), in the order of asking. */
export async function followersOf(
  db: Db,
  which: OwnedChannel,
  runIds: readonly (string | null)[],
): Promise<{ mId: string; afterRunId: string | null }[]> {
  const ids = runIds.filter((id) => id !== null)
  return db
    .select({ mId: messages.mId, afterRunId: messages.afterRunId })
    .from(messages)
    .where(
      and(
        isOfChannel(which),
        isNull(messages.removedAt),
        or(inArray(messages.afterRunId, ids), ids.length < runIds.length ? isNull(messages.afterRunId) : undefined),
      ),
    )
    .orderBy(sql`${messages.askedAt} collate "C"`, sql`${messages.mId} collate "C"`)
}

/** What these exchanges of a channel without branches follow: of those that the backfill has not reached. */
export async function placesOf(
  db: Db,
  which: OwnedChannel,
  mIds: readonly string[],
): Promise<Map<string, string | null>> {
  if (mIds.length === 0) return new Map()
  const { rows } = await db.execute<{ mId: string; afterRunId: string | null }>(sql`
    select m.m_id as "mId", (
      select coalesce(b.run_message_id::text, b.m_id) from messages b
      where b.channel_id = m.channel_id and b.position < m.position order by b.position desc limit 1) as "afterRunId"
    from messages m
    where m.channel_id = ${which.channelId} and m.owner_id = ${which.userId}::uuid and m.m_id = any(${sql.param([...mIds])}::text[])`)
  return new Map(rows.map(({ mId, afterRunId }) => [mId, afterRunId]))
}

/** A run of the channel, and where its exchange stands. `isStanding`: it may be followed. */
export type RunPlace = { mId: string; position: number; isStanding: boolean }

/**
 * Where a run is, whether or not the backfill has reached it. A tombstone may be followed where something standing
 * follows it already: it was deleted alone, not with its branch.
 */
export async function findRun(db: Db, which: OwnedChannel, runId: string): Promise<RunPlace | undefined> {
  const isStored = sql`exists (
    select from runs r where r.channel_id = ${messages.channelId} and r.m_id = ${messages.mId} and r.id = ${runId})`
  const isShown = sql`coalesce(${messages.runMessageId}::text, ${messages.mId}) = ${runId}`
  const [row] = await db
    .select({ mId: messages.mId, position: messages.position, removedAt: messages.removedAt })
    .from(messages)
    .where(and(isOfChannel(which), or(isShown, isStored)))
    .orderBy(sql`${messages.position} desc`)
    .limit(1)
  if (!row) return undefined
  const { removedAt, ...place } = row
  return { ...place, isStanding: removedAt === null || (await followersOf(db, which, [runId])).length > 0 }
}

/** Sets whether a message is part of every later context. False where there is no such message. */
export async function updatePin(
  db: Db,
  { mId, isPinned, ...which }: OwnedChannel & { mId: string; isPinned: boolean },
): Promise<boolean> {
  const { rowCount } = await db
    .update(messages)
    .set({ isPinned })
    .where(and(isOfChannel(which), eq(messages.mId, mId), isNull(messages.removedAt)))
  return rowCount === 1
}

/** A question of the channel, as far as an outline tells it. */
export type OutlineRow = {
  mId: string
  question: string
  askedAt: string
  isPinned: boolean
  authorUserId: string | null
  authorName: string | null
}

/** The standing questions of a channel, in the order in which they were asked, cut after `length` characters. */
export async function outlineRows(db: Db, which: OwnedChannel, length: number): Promise<OutlineRow[]> {
  return db
    .select({
      mId: messages.mId,
      // What is stored as JSON cannot be cut here.
      question: sql<string>`case when starts_with(${messages.question}, chr(1)) then ${messages.question} else left(${messages.question}, ${length}::int) end`,
      askedAt: messages.askedAt,
      isPinned: messages.isPinned,
      authorUserId: messages.authorUserId,
      authorName: messages.authorName,
    })
    .from(messages)
    .where(and(isOfChannel(which), isNull(messages.removedAt)))
    .orderBy(asc(messages.position))
}
