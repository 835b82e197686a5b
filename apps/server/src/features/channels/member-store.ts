import { and, asc, count, eq, gt, inArray, isNull, lt, lte, or, sql } from 'drizzle-orm'
import type { Db } from '../../db/client'
import { channelInvitations, channelMembers, channels, users } from '../../db/schema'
import type { Own } from './channel-store'

export type InvitationRow = typeof channelInvitations.$inferSelect
type NamedMember = { userId: string; name: string; email: string; role: 'read' | 'write'; joinedAt: Date }

const ofOwn = ({ userId, channelId }: Own) =>
  sql`(select ${channels.id} from ${channels} where ${channels.id} = ${channelId} and ${channels.userId} = ${userId})`
const isOpen = (now: Date) =>
  and(gt(channelInvitations.expiresAt, now), or(isNull(channelInvitations.maxUses), lt(channelInvitations.uses, channelInvitations.maxUses)))

export async function insertInvitation(tx: Db, row: typeof channelInvitations.$inferInsert): Promise<void> {
  await tx.insert(channelInvitations).values(row)
}

/** Newest last. */
export async function openInvitations(db: Db, which: Own, now: Date): Promise<InvitationRow[]> {
  return db
    .select()
    .from(channelInvitations)
    .where(and(eq(channelInvitations.channelId, ofOwn(which)), isOpen(now)))
    .orderBy(asc(channelInvitations.createdAt), asc(channelInvitations.id))
}

/** All of a channel without an id. Answers how many there were. */
export async function deleteInvitations(tx: Db, which: Own, id?: string): Promise<number> {
  const { rowCount } = await tx
    .delete(channelInvitations)
    .where(and(eq(channelInvitations.channelId, ofOwn(which)), id === undefined ? undefined : eq(channelInvitations.id, id)))
  return rowCount ?? 0
}

export async function deleteExpiredInvitations(db: Db, now: Date): Promise<void> {
  await db.delete(channelInvitations).where(lte(channelInvitations.expiresAt, now))
}

/** The token is what proves the right to ask. */
export async function findInvitation(db: Db, tokenHash: string, now: Date) {
  const [row] = await db
    .select({
      id: channelInvitations.id,
      channelId: channelInvitations.channelId,
      role: channelInvitations.role,
      expiresAt: channelInvitations.expiresAt,
      ownerId: channels.userId,
      channelName: channels.channelName,
      ownerName: users.name,
      ownerEmail: users.email,
    })
    .from(channelInvitations)
    .innerJoin(channels, eq(channels.id, channelInvitations.channelId))
    .innerJoin(users, eq(users.id, channels.userId))
    .where(and(eq(channelInvitations.tokenHash, tokenHash), isOpen(now)))
  return row
}

/** Counts one use. False when it was revoked, used up or out of date meanwhile. */
export async function useInvitation(tx: Db, which: Own & { id: string }, now: Date): Promise<boolean> {
  const { rowCount } = await tx
    .update(channelInvitations)
    .set({ uses: sql`${channelInvitations.uses} + 1` })
    .where(and(eq(channelInvitations.id, which.id), eq(channelInvitations.channelId, ofOwn(which)), isOpen(now)))
  return rowCount === 1
}

export async function countMembers(db: Db, which: Own): Promise<number> {
  const [row] = await db
    .select({ all: count() })
    .from(channelMembers)
    .where(eq(channelMembers.channelId, ofOwn(which)))
  return row?.all ?? 0
}

/** Makes a member, or changes what one may do. */
export async function putMember(tx: Db, row: typeof channelMembers.$inferInsert): Promise<void> {
  await tx
    .insert(channelMembers)
    .values(row)
    .onConflictDoUpdate({ target: [channelMembers.channelId, channelMembers.userId], set: { role: row.role } })
}

/** Oldest first. */
export async function listMembers(db: Db, which: Own): Promise<NamedMember[]> {
  return db
    .select({ userId: channelMembers.userId, name: users.name, email: users.email, role: channelMembers.role, joinedAt: channelMembers.joinedAt })
    .from(channelMembers)
    .innerJoin(users, eq(users.id, channelMembers.userId))
    .where(eq(channelMembers.channelId, ofOwn(which)))
    .orderBy(asc(channelMembers.joinedAt), asc(channelMembers.userId))
}

/** The members of every channel that belongs to this owner. */
export async function membersOf(db: Db, userId: string): Promise<Map<string, string[]>> {
  const rows = await db
    .select({ channelId: channelMembers.channelId, userId: channelMembers.userId })
    .from(channelMembers)
    .innerJoin(channels, and(eq(channels.id, channelMembers.channelId), eq(channels.userId, userId)))
  const found = new Map<string, string[]>()
  for (const row of rows) found.set(row.channelId, [...(found.get(row.channelId) ?? []), row.userId])
  return found
}

export async function deleteMember(tx: Db, which: Own, memberId: string): Promise<boolean> {
  const { rowCount } = await tx.delete(channelMembers).where(and(eq(channelMembers.channelId, ofOwn(which)), eq(channelMembers.userId, memberId)))
  return rowCount === 1
}

/** What people are called by, by their id. */
export async function nameParts(db: Db, userIds: readonly string[]): Promise<Map<string, { name: string; email: string }>> {
  if (userIds.length === 0) return new Map()
  const rows = await db
    .select({ id: users.id, name: users.name, email: users.email })
    .from(users)
    .where(inArray(users.id, [...userIds]))
  return new Map(rows.map(({ id, ...parts }) => [id, parts]))
}
