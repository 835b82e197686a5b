import { and, asc, eq, gt, isNull, lt, lte, or, sql } from 'drizzle-orm'
import type { Db } from '../../db/client'
import { channelInvitations, channels } from '../../db/schema/channels'
import { users } from '../../db/schema/users'
import type { OwnedChannel } from '../channels/public/channel-row-store'
import { idOfOwnedChannel } from './member-store'

export type InvitationRow = typeof channelInvitations.$inferSelect

/** Neither expired nor used up. */
const isValid = (now: Date) =>
  and(
    gt(channelInvitations.expiresAt, now),
    or(isNull(channelInvitations.maxUses), lt(channelInvitations.uses, channelInvitations.maxUses)),
  )

export async function insertInvitation(tx: Db, row: typeof channelInvitations.$inferInsert): Promise<void> {
  await tx.insert(channelInvitations).values(row)
}

/** Oldest first. */
export async function validInvitations(db: Db, which: OwnedChannel, now: Date): Promise<InvitationRow[]> {
  return db
    .select()
    .from(channelInvitations)
    .where(and(eq(channelInvitations.channelId, idOfOwnedChannel(which)), isValid(now)))
    .orderBy(asc(channelInvitations.createdAt), asc(channelInvitations.id))
}

/** Without an id deletes all of the channel. Returns how many it deleted. */
export async function deleteInvitations(tx: Db, which: OwnedChannel, id?: string): Promise<number> {
  const { rowCount } = await tx
    .delete(channelInvitations)
    .where(
      and(
        eq(channelInvitations.channelId, idOfOwnedChannel(which)),
        id === undefined ? undefined : eq(channelInvitations.id, id),
      ),
    )
  return rowCount ?? 0
}

export async function deleteExpiredInvitations(db: Db, now: Date): Promise<void> {
  await db.delete(channelInvitations).where(lte(channelInvitations.expiresAt, now))
}

/** Names no owner: the token itself grants access. */
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
    .where(and(eq(channelInvitations.tokenHash, tokenHash), isValid(now)))
  return row
}

/** Counts one use. False when the invitation has been revoked, used up or has expired meanwhile. */
export async function useInvitation(tx: Db, which: OwnedChannel & { id: string }, now: Date): Promise<boolean> {
  const { rowCount } = await tx
    .update(channelInvitations)
    .set({ uses: sql`${channelInvitations.uses} + 1` })
    .where(
      and(eq(channelInvitations.id, which.id), eq(channelInvitations.channelId, idOfOwnedChannel(which)), isValid(now)),
    )
  return rowCount === 1
}
