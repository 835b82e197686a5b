import { and, asc, count, eq, sql } from 'drizzle-orm'
import type { Db } from '../../db/client'
import { channelMembers, channels } from '../../db/schema/channels'
import { users } from '../../db/schema/users'
import type { OwnedChannel } from '../channels/public/channel-row-store'

type MemberRow = { userId: string; name: string; email: string; role: 'read' | 'write'; joinedAt: Date }

/** The channel's id, or null where `userId` does not own it, which no row equals. */
export const idOfOwnedChannel = ({ userId, channelId }: OwnedChannel) =>
  sql`(select ${channels.id} from ${channels} where ${channels.id} = ${channelId} and ${channels.userId} = ${userId})`

export async function countMembers(db: Db, which: OwnedChannel): Promise<number> {
  const [row] = await db
    .select({ all: count() })
    .from(channelMembers)
    .where(eq(channelMembers.channelId, idOfOwnedChannel(which)))
  return row?.all ?? 0
}

/** Adds a member, whose head is the owner's at first, or changes the role of an existing one. */
export async function putMember(tx: Db, row: typeof channelMembers.$inferInsert): Promise<void> {
  await tx
    .insert(channelMembers)
    .values({
      headRunId: sql`(select ${channels.headRunId} from ${channels} where ${channels.id} = ${row.channelId})`,
      ...row,
    })
    .onConflictDoUpdate({ target: [channelMembers.channelId, channelMembers.userId], set: { role: row.role } })
}

/** The longest-standing member first. */
export async function listMembers(db: Db, which: OwnedChannel): Promise<MemberRow[]> {
  return db
    .select({
      userId: channelMembers.userId,
      name: users.name,
      email: users.email,
      role: channelMembers.role,
      joinedAt: channelMembers.joinedAt,
    })
    .from(channelMembers)
    .innerJoin(users, eq(users.id, channelMembers.userId))
    .where(eq(channelMembers.channelId, idOfOwnedChannel(which)))
    .orderBy(asc(channelMembers.joinedAt), asc(channelMembers.userId))
}

export async function deleteMember(tx: Db, which: OwnedChannel, memberId: string): Promise<boolean> {
  const { rowCount } = await tx
    .delete(channelMembers)
    .where(and(eq(channelMembers.channelId, idOfOwnedChannel(which)), eq(channelMembers.userId, memberId)))
  return rowCount === 1
}
