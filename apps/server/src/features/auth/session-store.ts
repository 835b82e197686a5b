import { and, eq, gt, inArray, isNull, lt, ne, or } from 'drizzle-orm'
import type { Db } from '../../db/client'
import { sessions } from '../../db/schema/auth'
import { users } from '../../db/schema/users'

export type Session = typeof sessions.$inferSelect

export async function findSession(db: Db, id: string): Promise<Session | undefined> {
  const [row] = await db.select().from(sessions).where(eq(sessions.id, id))
  return row
}

/** A live session is neither expired nor revoked, and its account is not blocked. */
export async function findLiveSession(
  db: Db,
  { id, userId }: { id: string; userId: string },
  now: Date,
): Promise<Session | undefined> {
  const [row] = await db
    .select({ session: sessions })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(eq(sessions.id, id), eq(sessions.userId, userId), ...isLive(now)))
  return row?.session
}

export async function findLiveSessionIds(db: Db, ids: string[], now: Date): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const rows = await db
    .select({ id: sessions.id })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(inArray(sessions.id, ids), ...isLive(now)))
  return new Set(rows.map(({ id }) => id))
}

/** Moves a session to its next refresh token. False when another call has rotated it, or it is over. */
export async function rotateSession(
  db: Db,
  { id, generation }: { id: string; generation: number },
  { now, expiresAt }: { now: Date; expiresAt: Date },
): Promise<boolean> {
  const rows = await db
    .update(sessions)
    .set({ generation: generation + 1, rotatedAt: now, expiresAt })
    .where(
      and(
        eq(sessions.id, id),
        eq(sessions.generation, generation),
        isNull(sessions.revokedAt),
        gt(sessions.expiresAt, now),
      ),
    )
    .returning({ id: sessions.id })
  return rows.length > 0
}

export async function revokeSession(db: Db, id: string, now: Date): Promise<void> {
  await db
    .update(sessions)
    .set({ revokedAt: now })
    .where(and(eq(sessions.id, id), isNull(sessions.revokedAt)))
}

/** Revokes every session of the person except `keep`. */
export async function revokeSessions(db: Db, userId: string, keep: string | undefined, now: Date): Promise<void> {
  await db
    .update(sessions)
    .set({ revokedAt: now })
    .where(
      and(
        eq(sessions.userId, userId),
        isNull(sessions.revokedAt),
        keep === undefined ? undefined : ne(sessions.id, keep),
      ),
    )
}

/** Ended sessions are kept for a while, so that reuse of their tokens is still recognised. */
export async function deleteOldSessions(db: Db, endedBefore: Date): Promise<void> {
  await db.delete(sessions).where(or(lt(sessions.expiresAt, endedBefore), lt(sessions.revokedAt, endedBefore)))
}

const isLive = (now: Date) => [isNull(sessions.revokedAt), gt(sessions.expiresAt, now), isNull(users.blockedAt)]
