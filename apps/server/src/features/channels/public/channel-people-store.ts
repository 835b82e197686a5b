import { and, eq, isNull, or, sql } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/pg-core'
import type { Db } from '../../../db/client'
import { channelMembers, channels } from '../../../db/schema/channels'
import type { OwnedChannel } from './channel-row-store'

/** The owner and the members of a channel. */
export async function peopleIn(db: Db, { userId, channelId }: OwnedChannel): Promise<string[]> {
  const owner = db
    .select({ userId: channels.userId })
    .from(channels)
    .where(and(eq(channels.id, channelId), eq(channels.userId, userId)))
  const members = db
    .select({ userId: channelMembers.userId })
    .from(channelMembers)
    .innerJoin(channels, and(eq(channels.id, channelMembers.channelId), eq(channels.userId, userId)))
    .where(eq(channelMembers.channelId, channelId))
  return (await unionAll(owner, members)).map((row) => row.userId)
}

/** Of the owner and the members those who read up to this run: everybody in a channel without branches. */
export async function peopleAt(db: Db, { userId, channelId }: OwnedChannel, runId: string): Promise<string[]> {
  const hasNone = isNull(channels.headRunId)
  const owner = db
    .select({ userId: channels.userId })
    .from(channels)
    .where(and(eq(channels.id, channelId), eq(channels.userId, userId), or(hasNone, eq(channels.headRunId, runId))))
  const isAt = sql`coalesce(${channelMembers.headRunId}, ${channels.headRunId}) = ${runId}`
  const members = db
    .select({ userId: channelMembers.userId })
    .from(channelMembers)
    .innerJoin(channels, and(eq(channels.id, channelMembers.channelId), eq(channels.userId, userId)))
    .where(and(eq(channelMembers.channelId, channelId), or(hasNone, isAt)))
  return (await unionAll(owner, members)).map((row) => row.userId)
}

/** The owner and the members of several channels, by channel id. */
export async function peopleInEach(db: Db, owned: readonly OwnedChannel[]): Promise<Map<string, string[]>> {
  if (owned.length === 0) return new Map()
  const isOwned = or(
    ...owned.map(({ userId, channelId }) => and(eq(channels.id, channelId), eq(channels.userId, userId))),
  )
  const owners = db.select({ channelId: channels.id, userId: channels.userId }).from(channels).where(isOwned)
  const members = db
    .select({ channelId: channelMembers.channelId, userId: channelMembers.userId })
    .from(channelMembers)
    .innerJoin(channels, eq(channels.id, channelMembers.channelId))
    .where(isOwned)
  return byChannel(await unionAll(owners, members))
}

/** The members of every channel that belongs to this owner, by channel id. */
export async function membersInEach(db: Db, ownerId: string): Promise<Map<string, string[]>> {
  const rows = await db
    .select({ channelId: channelMembers.channelId, userId: channelMembers.userId })
    .from(channelMembers)
    .innerJoin(channels, and(eq(channels.id, channelMembers.channelId), eq(channels.userId, ownerId)))
  return byChannel(rows)
}

function byChannel(rows: readonly { channelId: string; userId: string }[]): Map<string, string[]> {
  const people = new Map<string, string[]>()
  for (const { channelId, userId } of rows) people.set(channelId, [...(people.get(channelId) ?? []), userId])
  return people
}
