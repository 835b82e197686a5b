import { newestLeafBelow, resolveHead } from '@parley/contract/conversation-tree'
import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client'
import { channelMembers, channels } from '../../../db/schema/channels'
import { messages } from '../../../db/schema/messages'
import type { ChannelAccess } from '../../channels/public/channel-access'
import { isOwnedChannel, type OwnedChannel } from '../../channels/public/channel-row-store'
import { treeIn } from '../path-store'
import { findRun } from '../version-store'

// A channel has branches once its head is set. Whoever changes a head has locked the channel.

const isMemberOf = ({ userId, channelId }: OwnedChannel) =>
  sql`${channelMembers.channelId} = (select ${channels.id} from ${channels} where ${channels.id} = ${channelId} and ${channels.userId} = ${userId})`

/** The run that the newest exchange by position shows; undefined in an empty channel. */
export async function lastShownRun(db: Db, { userId, channelId }: OwnedChannel): Promise<string | undefined> {
  const { rows } = await db.execute<{ runId: string }>(sql`
    select coalesce(run_message_id::text, m_id) as "runId" from messages
    where channel_id = ${channelId} and owner_id = ${userId}::uuid order by position desc limit 1`)
  return rows[0]?.runId
}

/**
 * Before a channel gets its first branch: from now on its exchanges follow runs, and everybody's head is the run that
 * they see last. Returns that run, undefined in an empty channel, which has nothing to branch from.
 */
export async function beginBranches(tx: Db, which: OwnedChannel): Promise<string | undefined> {
  const last = await lastShownRun(tx, which)
  if (last === undefined) return undefined
  await completeRuns(tx, which)
  await setHeads(tx, which, last)
  return last
}

/** Sets the head of everybody who is in the channel. */
export async function setHeads(tx: Db, which: OwnedChannel, headRunId: string): Promise<void> {
  await tx.update(channels).set({ headRunId }).where(isOwnedChannel(which))
  await tx.update(channelMembers).set({ headRunId }).where(isMemberOf(which))
}

/** Does for one channel what the backfill of runs may not have reached. */
export async function completeRuns(tx: Db, { userId, channelId }: OwnedChannel): Promise<void> {
  await tx.execute(sql`
    update messages m set after_run_id = (
      select coalesce(b.run_message_id::text, b.m_id) from messages b
      where b.channel_id = m.channel_id and b.position < m.position order by b.position desc limit 1)
    where m.channel_id = ${channelId} and m.owner_id = ${userId}::uuid and m.after_run_id = ''`)
  await tx.execute(sql`
    select mirror_message(m) from messages m where m.channel_id = ${channelId} and m.owner_id = ${userId}::uuid
      and not exists (select from runs r where r.channel_id = m.channel_id and r.m_id = m.m_id and r.id = coalesce(m.run_message_id::text, m.m_id))`)
}

/** Sets the head of whoever asks. The head of a member who has none of their own is the owner's. */
export async function setHead(tx: Db, access: ChannelAccess, headRunId: string): Promise<void> {
  if (access.role === 'owner') await tx.update(channels).set({ headRunId }).where(isOwnedChannel(access))
  else
    await tx
      .update(channelMembers)
      .set({ headRunId })
      .where(and(isMemberOf(access), eq(channelMembers.userId, access.actorId)))
}

/** Moves every head that stands at a run. */
export async function moveHeads(tx: Db, which: OwnedChannel, from: string, to: string): Promise<void> {
  await tx
    .update(channels)
    .set({ headRunId: to })
    .where(and(isOwnedChannel(which), eq(channels.headRunId, from)))
  await tx
    .update(channelMembers)
    .set({ headRunId: to })
    .where(and(isMemberOf(which), eq(channelMembers.headRunId, from)))
}

/** Moves the head of one person, if it stands at a run; false where what it is to move to is gone. */
export async function moveHeadOf(
  tx: Db,
  which: OwnedChannel,
  { actorId, from, to }: { actorId: string; from: string; to: string },
): Promise<boolean> {
  if (from !== to && !(await findRun(tx, which, to))?.isStanding) return false
  if (actorId === which.userId)
    await tx
      .update(channels)
      .set({ headRunId: to })
      .where(and(isOwnedChannel(which), eq(channels.headRunId, from)))
  else
    await tx
      .update(channelMembers)
      .set({ headRunId: to })
      .where(and(isMemberOf(which), eq(channelMembers.userId, actorId), eq(channelMembers.headRunId, from)))
  return true
}

/**
 * One run takes the place of another: what followed that one follows it, and so do the heads. Of a channel without
 * branches the triggers do so.
 */
export async function replaceRun(tx: Db, which: OwnedChannel, from: string, to: string): Promise<void> {
  if (from === to) return
  await tx
    .update(messages)
    .set({ afterRunId: to })
    .where(
      and(eq(messages.channelId, which.channelId), eq(messages.ownerId, which.userId), eq(messages.afterRunId, from)),
    )
  await moveHeads(tx, which, from, to)
}

/** Moves the heads that stand at a run to the newest leaf below it, if there is one. */
export async function moveHeadsBelow(tx: Db, which: OwnedChannel, runId: string): Promise<void> {
  const leaf = newestLeafBelow(await treeIn(tx, which), runId)
  if (leaf !== null) await moveHeads(tx, which, runId, leaf)
}

/** After exchanges were removed: heads that stood at them move to what stands. False where nothing stands. */
export async function resolveHeads(tx: Db, which: OwnedChannel): Promise<boolean> {
  const tree = await treeIn(tx, which)
  if (resolveHead(tree, null) === null) return false
  const { rows } = await tx.execute<{ headRunId: string | null }>(sql`
    select head_run_id as "headRunId" from channels where id = ${which.channelId} and user_id = ${which.userId}::uuid
    union select m.head_run_id from channel_members m join channels c on c.id = m.channel_id and c.user_id = ${which.userId}::uuid
    where m.channel_id = ${which.channelId}`)
  for (const { headRunId } of rows) {
    if (headRunId === null) continue
    const resolved = resolveHead(tree, headRunId)
    if (resolved !== null && resolved !== headRunId) await moveHeads(tx, which, headRunId, resolved)
  }
  return true
}

/** Nothing is left: the channel has no branches any more. */
export async function clearHeads(tx: Db, which: OwnedChannel): Promise<void> {
  await tx.update(channels).set({ headRunId: null }).where(isOwnedChannel(which))
  await tx.update(channelMembers).set({ headRunId: null }).where(isMemberOf(which))
}

/** Whether the channel has branches. */
export async function hasBranches(db: Db, which: OwnedChannel): Promise<boolean> {
  const rows = await db
    .select({ id: channels.id })
    .from(channels)
    .where(and(isOwnedChannel(which), isNull(channels.headRunId)))
  return rows.length === 0
}
