import { and, eq, gt, isNotNull, isNull, lt, sql } from 'drizzle-orm'
import type { Db } from '../../db/client'
import { knownBrowsers, mailTokens, vaultKeys } from '../../db/schema/auth'
import { subscriptions, users } from '../../db/schema/users'

export type Account = typeof users.$inferSelect
export type LegacySubscription = typeof subscriptions.$inferSelect

/** False when an account with the address or the Google `sub` exists. */
export async function insertAccount(db: Db, account: typeof users.$inferInsert): Promise<boolean> {
  const rows = await db.insert(users).values(account).onConflictDoNothing().returning({ id: users.id })
  return rows.length > 0
}

export async function findAccount(db: Db, id: string): Promise<Account | undefined> {
  const [row] = await db.select().from(users).where(eq(users.id, id))
  return row
}

export async function findAccountByEmail(db: Db, email: string): Promise<Account | undefined> {
  const [row] = await db.select().from(users).where(eq(users.email, email))
  return row
}

export async function findAccountByGoogle(db: Db, sub: string): Promise<Account | undefined> {
  const [row] = await db.select().from(users).where(eq(users.googleSub, sub))
  return row
}

export async function updateAccount(
  db: Db,
  id: string,
  change: Partial<typeof users.$inferInsert>,
): Promise<Account | undefined> {
  const [row] = await db.update(users).set(change).where(eq(users.id, id)).returning()
  return row
}

/** False when another call has used the one-time password already. */
export async function takeOneTimePassword(db: Db, id: string, oneTimeHash: string, now: Date): Promise<boolean> {
  const rows = await db
    .update(users)
    .set({ oneTimeHash: null, oneTimeUntil: null })
    .where(and(eq(users.id, id), eq(users.oneTimeHash, oneTimeHash), gt(users.oneTimeUntil, now)))
    .returning({ id: users.id })
  return rows.length > 0
}

/** Cascades to sessions, mail links, vault keys and the subscription. */
export async function deleteAccount(db: Db, id: string): Promise<boolean> {
  const rows = await db.delete(users).where(eq(users.id, id)).returning({ id: users.id })
  return rows.length > 0
}

/** Deletions that were not finished, because their node died or the database was unreachable. */
export async function findDeletionsRequested(db: Db): Promise<Account[]> {
  return db.select().from(users).where(isNotNull(users.deletionRequestedAt)).limit(20)
}

export async function deleteUnconfirmedAccounts(db: Db, createdBefore: Date): Promise<void> {
  await db
    .delete(users)
    .where(and(eq(users.kind, 'email'), isNull(users.emailConfirmedAt), lt(users.createdAt, createdBefore)))
}

export async function findSubscription(db: Db, userId: string, now: Date): Promise<LegacySubscription | undefined> {
  const [row] = await db
    .select()
    .from(subscriptions)
    .where(and(eq(subscriptions.userId, userId), gt(subscriptions.currentPeriodEnd, now)))
  return row
}

export async function deleteExpiredMailTokens(db: Db, now: Date): Promise<void> {
  await db.delete(mailTokens).where(lt(mailTokens.expiresAt, now))
}

export async function isKnownBrowser(db: Db, userId: string, browserHash: string): Promise<boolean> {
  const rows = await db
    .select({ userId: knownBrowsers.userId })
    .from(knownBrowsers)
    .where(and(eq(knownBrowsers.userId, userId), eq(knownBrowsers.browserHash, browserHash)))
  return rows.length > 0
}

export async function upsertKnownBrowser(db: Db, entry: typeof knownBrowsers.$inferInsert): Promise<void> {
  await db
    .insert(knownBrowsers)
    .values(entry)
    .onConflictDoUpdate({ target: [knownBrowsers.userId, knownBrowsers.browserHash], set: { usedAt: entry.usedAt } })
}

export async function deleteOldBrowsers(db: Db, usedBefore: Date): Promise<void> {
  await db.delete(knownBrowsers).where(lt(knownBrowsers.usedAt, usedBefore))
}

/** The vault key of this account on this device; the first sign-in there stores it. */
export async function ensureVaultKey(db: Db, entry: typeof vaultKeys.$inferInsert): Promise<string> {
  const [row] = await db
    .insert(vaultKeys)
    .values(entry)
    // Changes nothing, but makes the statement return the existing row.
    .onConflictDoUpdate({
      target: [vaultKeys.userId, vaultKeys.deviceId],
      set: { createdAt: sql`${vaultKeys.createdAt}` },
    })
    .returning({ key: vaultKeys.key })
  if (!row) throw new Error('the vault key was not stored')
  return row.key
}
