import { and, eq, isNotNull, or } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/pg-core'
import type { Db } from '../../db/client'
import { channelMembers, channels } from '../../db/schema'
import type { Own } from './channel-store'

/** Somebody who asks for a channel, theirs or not. */
export type Asker = { actorId: string; channelId: string }

/** The owner of the channel and what this person may do in it; undefined for whoever is not in it. */
export async function findRole(db: Db, { actorId, channelId }: Asker): Promise<{ ownerId: string; role: 'read' | 'write' | null } | undefined> {
  const [row] = await db
    .select({ ownerId: channels.userId, role: channelMembers.role })
    .from(channels)
    .leftJoin(channelMembers, and(eq(channelMembers.channelId, channels.id), eq(channelMembers.userId, actorId)))
    .where(and(eq(channels.id, channelId), or(eq(channels.userId, actorId), isNotNull(channelMembers.userId))))
  return row
}

/** The agent of a channel that this person is in. */
export async function findAssistant(db: Db, { actorId, channelId }: Asker): Promise<string | null> {
  const [row] = await db
    .select({ assistantId: channels.assistantId })
    .from(channels)
    .leftJoin(channelMembers, and(eq(channelMembers.channelId, channels.id), eq(channelMembers.userId, actorId)))
    .where(and(eq(channels.id, channelId), or(eq(channels.userId, actorId), isNotNull(channelMembers.userId))))
  return row?.assistantId ?? null
}

/** The owner and the members of several channels, each of which belongs to the owner that is named. By the channel's id. */
export async function peopleOf(db: Db, owned: readonly Own[]): Promise<Map<string, string[]>> {
  if (owned.length === 0) return new Map()
  const isOwned = or(...owned.map(({ userId, channelId }) => and(eq(channels.id, channelId), eq(channels.userId, userId))))
  const owners = db.select({ channelId: channels.id, userId: channels.userId }).from(channels).where(isOwned)
  const members = db
    .select({ channelId: channelMembers.channelId, userId: channelMembers.userId })
    .from(channelMembers)
    .innerJoin(channels, eq(channels.id, channelMembers.channelId))
    .where(isOwned)
  const people = new Map<string, string[]>()
  for (const { channelId, userId } of await unionAll(owners, members)) people.set(channelId, [...(people.get(channelId) ?? []), userId])
  return people
}

/** The owner and the members of a channel that belongs to this owner. */
export async function peopleIn(db: Db, { userId, channelId }: Own): Promise<string[]> {
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
