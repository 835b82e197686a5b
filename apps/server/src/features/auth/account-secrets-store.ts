// All changes of an account's secrets: passwords, mailed links and sessions. Each locks the account's row, so that no
// concurrent sign-in or link is accepted on the basis of a check made before the change.
import { and, eq, gt, isNull, sql } from 'drizzle-orm'
import type { Db } from '../../db/client'
import { knownBrowsers, mailTokens, sessions } from '../../db/schema/auth'
import { users } from '../../db/schema/users'
import type { Account } from './account-store'
import { revokeSessions } from './session-store'

export type MailToken = typeof mailTokens.$inferSelect
type AccountChange = Partial<typeof users.$inferInsert>
type Tx = Parameters<Parameters<Db['transaction']>[0]>[0]

async function lockAccount(tx: Tx, userId: string): Promise<Account | undefined> {
  const [row] = await tx.select().from(users).where(eq(users.id, userId)).for('no key update')
  return row
}

async function applyProof(tx: Tx, account: Account, change: AccountChange, now: Date): Promise<Account | undefined> {
  await tx.delete(mailTokens).where(eq(mailTokens.userId, account.id))
  await tx.delete(knownBrowsers).where(eq(knownBrowsers.userId, account.id))
  await revokeSessions(tx, account.id, undefined, now)
  const [row] = await tx
    .update(users)
    .set({
      oneTimeHash: null,
      oneTimeUntil: null,
      signUpBrowserHash: null,
      // A stranger may have chosen the password before the address was first proven.
      ...(account.emailConfirmedAt === null ? { passwordHash: null } : {}),
      ...change,
      emailConfirmedAt: now,
      secretsVersion: sql`${users.secretsVersion} + 1`,
    })
    .where(eq(users.id, account.id))
    .returning()
  return row
}

/**
 * Uses up a mailed link, which proves the address: the same transaction ends every other link, session, one-time
 * password and unproven password. Undefined when the link is invalid or expired. `decide` returns further changes, from
 * the account and all of its links.
 */
export function proveByLink(
  db: Db,
  { tokenHash, purpose }: Pick<MailToken, 'tokenHash' | 'purpose'>,
  now: Date,
  decide: (account: Account, links: MailToken[]) => AccountChange,
): Promise<Account | undefined> {
  return db.transaction(async (tx) => {
    const isLink = and(
      eq(mailTokens.tokenHash, tokenHash),
      eq(mailTokens.purpose, purpose),
      gt(mailTokens.expiresAt, now),
    )
    const [found] = await tx.select({ userId: mailTokens.userId }).from(mailTokens).where(isLink)
    const account = found && (await lockAccount(tx, found.userId))
    if (!account) return undefined
    // Read again under the lock, so that only one of two concurrent calls uses the link.
    const links = await tx.select().from(mailTokens).where(eq(mailTokens.userId, account.id))
    if (!links.some((link) => link.tokenHash === tokenHash)) return undefined
    return applyProof(tx, account, decide(account, links), now)
  })
}

/** For an owner who proved the address with Google. Undefined when the address is already proven. */
export function proveUnproved(db: Db, userId: string, change: AccountChange, now: Date): Promise<Account | undefined> {
  return db.transaction(async (tx) => {
    const account = await lockAccount(tx, userId)
    return account?.emailConfirmedAt === null ? applyProof(tx, account, change, now) : undefined
  })
}

/** Ends every mailed link and every other session. False when the person's own session is over. */
export function changePasswordHash(
  db: Db,
  { userId, sessionId }: { userId: string; sessionId: string },
  passwordHash: string,
  now: Date,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    if (!(await lockAccount(tx, userId))) return false
    const isOwn = and(
      eq(sessions.id, sessionId),
      eq(sessions.userId, userId),
      isNull(sessions.revokedAt),
      gt(sessions.expiresAt, now),
    )
    const [session] = await tx.select({ id: sessions.id }).from(sessions).where(isOwn)
    if (!session) return false
    await tx.delete(mailTokens).where(eq(mailTokens.userId, userId))
    await revokeSessions(tx, userId, sessionId, now)
    const secretsVersion = sql`${users.secretsVersion} + 1`
    await tx
      .update(users)
      .set({ passwordHash, oneTimeHash: null, oneTimeUntil: null, secretsVersion })
      .where(eq(users.id, userId))
    return true
  })
}

/** Ends every session and link for good; the rest of the deletion is idempotent and may be retried. */
export function requestDeletion(
  db: Db,
  userId: string,
  { keepsAgents, now }: { keepsAgents: boolean; now: Date },
): Promise<Account | undefined> {
  return db.transaction(async (tx) => {
    if (!(await lockAccount(tx, userId))) return undefined
    await tx.delete(mailTokens).where(eq(mailTokens.userId, userId))
    await revokeSessions(tx, userId, undefined, now)
    const secretsVersion = sql`${users.secretsVersion} + 1`
    const change = { deletionRequestedAt: now, deletionKeepsAgents: keepsAgents, secretsVersion }
    const [row] = await tx.update(users).set(change).where(eq(users.id, userId)).returning()
    return row
  })
}

/** False when the account's secrets have changed since `secretsVersion` was read. */
export function insertSession(db: Db, session: typeof sessions.$inferInsert, secretsVersion: number): Promise<boolean> {
  return db.transaction(async (tx) => {
    const account = await lockAccount(tx, session.userId)
    if (account?.secretsVersion !== secretsVersion || account.deletionRequestedAt !== null) return false
    await tx.insert(sessions).values(session)
    return true
  })
}

/** A reset link replaces the one before it. False for a confirmation link whose address is already proven. */
export function insertMailToken(db: Db, token: typeof mailTokens.$inferInsert): Promise<boolean> {
  return db.transaction(async (tx) => {
    const account = await lockAccount(tx, token.userId)
    if (!account || (token.purpose === 'confirm-email' && account.emailConfirmedAt !== null)) return false
    if (token.purpose === 'reset-password')
      await tx.delete(mailTokens).where(and(eq(mailTokens.userId, token.userId), eq(mailTokens.purpose, token.purpose)))
    await tx.insert(mailTokens).values(token)
    return true
  })
}
