import { and, asc, desc, eq, getTableColumns, inArray, or, sql } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/pg-core'
import type { Db } from '../../../db/client'
import { channelMembers, channels } from '../../../db/schema/channels'
import { users } from '../../../db/schema/users'
import type { ChannelRow } from './channel-row-store'

/** A channel as its owner or a member sees it; `role` is null for its owner. */
export type VisibleChannelRow = ChannelRow & {
  role: 'read' | 'write' | null
  ownerName: string
  ownerEmail: string
  memberCount: number
}

const visibleTo = (db: Db, actorId: string) =>
  db
    .select({
      ...getTableColumns(channels),
      role: channelMembers.role,
      ownerName: users.name,
      ownerEmail: users.email,
      memberCount: sql<number>`(select count(*)::int from ${channelMembers} as everybody where everybody.channel_id = ${channels.id})`,
    })
    .from(channels)
    .innerJoin(users, eq(users.id, channels.userId))
    .leftJoin(channelMembers, and(eq(channelMembers.channelId, channels.id), eq(channelMembers.userId, actorId)))

const sortKey = { id: channels.id, updatedAt: channels.updatedAt, channelName: channels.channelName }
const byActivity = [desc(channels.updatedAt), desc(channels.channelName), asc(channels.id)]

/** The channels that this person owns or is a member of. */
export async function listChannels(
  db: Db,
  actorId: string,
  { page, size }: { page: number; size: number },
): Promise<VisibleChannelRow[]> {
  // A union, because each half has an index and an `or` has none. Only the rows of the page are joined with the rest.
  const own = db
    .select(sortKey)
    .from(channels)
    .where(eq(channels.userId, actorId))
    .orderBy(...byActivity)
    .limit((page + 1) * size)
  const shared = db
    .select(sortKey)
    .from(channels)
    .innerJoin(channelMembers, and(eq(channelMembers.channelId, channels.id), eq(channelMembers.userId, actorId)))
  const all = unionAll(own, shared).as('all')
  const idsOfPage = db
    .select({ id: all.id })
    .from(all)
    .orderBy(desc(all.updatedAt), desc(all.channelName), asc(all.id))
    .limit(size)
    .offset(page * size)
  return visibleTo(db, actorId)
    .where(inArray(channels.id, idsOfPage))
    .orderBy(...byActivity)
}

export async function findVisibleChannel(
  db: Db,
  { actorId, channelId }: { actorId: string; channelId: string },
): Promise<VisibleChannelRow | undefined> {
  const [row] = await visibleTo(db, actorId).where(
    and(eq(channels.id, channelId), or(eq(channels.userId, actorId), eq(channelMembers.userId, actorId))),
  )
  return row
}
