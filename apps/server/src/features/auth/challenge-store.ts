import { and, eq, gt, lt } from 'drizzle-orm'
import type { Db } from '../../db/client'
import { signInChallenges } from '../../db/schema/auth'

type Challenge = typeof signInChallenges.$inferInsert

export async function insertChallenge(db: Db, challenge: Challenge): Promise<void> {
  await db.insert(signInChallenges).values(challenge)
}

/** Deletes the challenge in one statement, so that it can be used once. Undefined when unknown, used or expired. */
export async function takeChallenge(
  db: Db,
  { hash, kind }: Pick<Challenge, 'hash' | 'kind'>,
  now: Date,
): Promise<{ address: string } | undefined> {
  const [row] = await db
    .delete(signInChallenges)
    .where(and(eq(signInChallenges.hash, hash), eq(signInChallenges.kind, kind), gt(signInChallenges.expiresAt, now)))
    .returning({ address: signInChallenges.address })
  return row
}

export async function deleteExpiredChallenges(db: Db, now: Date): Promise<void> {
  await db.delete(signInChallenges).where(lt(signInChallenges.expiresAt, now))
}
