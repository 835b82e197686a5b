// What opens an account changes here alone: always with the account's row locked, so that nothing that was checked before it comes in after it.
import { and, eq, gt, isNull, sql } from 'drizzle-orm'
import type { Db } from '../../db/client'
import { knownBrowsers, mailTokens, sessions, users } from '../../db/schema'
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
      // A password that was chosen before the first proof may be a stranger's.
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
 * Uses a link of a mail up, which proves the address: every other link, session, one-time password and unproved password ends in the same transaction.
 * Undefined when the link is not good. `decide` gives what else changes, from the account and all of its links.
 */
export function proveByLink(
  db: Db,
  { tokenHash, purpose }: Pick<MailToken, 'tokenHash' | 'purpose'>,
  now: Date,
  decide: (account: Account, links: MailToken[]) => AccountChange,
): Promise<Account | undefined> {
  return db.transaction(async (tx) => {
    const isLink = and(eq(mailTokens.tokenHash, tokenHash), eq(mailTokens.purpose, purpose), gt(mailTokens.expiresAt, now))
    const [found] = await tx.select({ userId: mailTokens.userId }).from(mailTokens).where(isLink)
    const account = found && (await lockAccount(tx, found.userId))
    if (!account) return undefined
    // Read again under the lock: of two who come with the same link one gets in.
    const links = await tx.select().from(mailTokens).where(eq(mailTokens.userId, account.id))
    if (!links.some((link) => link.tokenHash === tokenHash)) return undefined
    return applyProof(tx, account, decide(account, links), now)
  })
}

/** The owner proved the address elsewhere. Undefined when somebody has proved it already. */
export function proveUnproved(db: Db, userId: string, change: AccountChange, now: Date): Promise<Account | undefined> {
  return db.transaction(async (tx) => {
    const account = await lockAccount(tx, userId)
    return account?.emailConfirmedAt === null ? applyProof(tx, account, change, now) : undefined
  })
}

/** A password chosen in a session: every link and every other session ends. False when the session itself is over. */
export function changePasswordHash(db: Db, { userId, sessionId }: { userId: string; sessionId: string }, passwordHash: string, now: Date): Promise<boolean> {
  return db.transaction(async (tx) => {
    if (!(await lockAccount(tx, userId))) return false
    const isOwn = and(eq(sessions.id, sessionId), eq(sessions.userId, userId), isNull(sessions.revokedAt), gt(sessions.expiresAt, now))
    const [session] = await tx.select({ id: sessions.id }).from(sessions).where(isOwn)
    if (!session) return false
    await tx.delete(mailTokens).where(eq(mailTokens.userId, userId))
    await revokeSessions(tx, userId, sessionId, now)
    const secretsVersion = sql`${users.secretsVersion} + 1`
    await tx.update(users).set({ passwordHash, oneTimeHash: null, oneTimeUntil: null, secretsVersion }).where(eq(users.id, userId))
    return true
  })
}

/** From here on nobody gets in; what is left of the deletion can be done again and again. */
export function requestDeletion(db: Db, userId: string, { keepsAgents, now }: { keepsAgents: boolean; now: Date }): Promise<Account | undefined> {
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

/** Begins a session. False when what opens the account has changed since `secretsVersion` was read. */
export function insertSession(db: Db, session: typeof sessions.$inferInsert, secretsVersion: number): Promise<boolean> {
  return db.transaction(async (tx) => {
    const account = await lockAccount(tx, session.userId)
    if (account?.secretsVersion !== secretsVersion || account.deletionRequestedAt !== null) return false
    await tx.insert(sessions).values(session)
    return true
  })
}

/** Makes a link. A new reset link ends the one before it; a link that confirms is made only while nobody has proved the address. */
export function insertMailToken(db: Db, token: typeof mailTokens.$inferInsert): Promise<boolean> {
  return db.transaction(async (tx) => {
    const account = await lockAccount(tx, token.userId)
    if (!account || (token.purpose === 'confirm-email' && account.emailConfirmedAt !== null)) return false
    if (token.purpose === 'reset-password') await tx.delete(mailTokens).where(and(eq(mailTokens.userId, token.userId), eq(mailTokens.purpose, token.purpose)))
    await tx.insert(mailTokens).values(token)
    return true
  })
}
