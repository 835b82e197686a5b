import { and, eq, gt, isNull, lt, sql } from 'drizzle-orm'
import type { Db } from '../../db/client'
import { mailTokens, subscriptions, users, vaultKeys } from '../../db/schema'

export type Account = typeof users.$inferSelect
export type LegacySubscription = typeof subscriptions.$inferSelect
type MailToken = typeof mailTokens.$inferSelect

/** False when the address, or the Google account, has one already. */
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

export async function updateAccount(db: Db, id: string, change: Partial<typeof users.$inferInsert>): Promise<Account | undefined> {
  const [row] = await db.update(users).set(change).where(eq(users.id, id)).returning()
  return row
}

/** Uses a one-time password up. False when another call did it first. */
export async function takeOneTimePassword(db: Db, id: string, oneTimeHash: string, now: Date): Promise<boolean> {
  const rows = await db
    .update(users)
    .set({ oneTimeHash: null, oneTimeUntil: null })
    .where(and(eq(users.id, id), eq(users.oneTimeHash, oneTimeHash), gt(users.oneTimeUntil, now)))
    .returning({ id: users.id })
  return rows.length > 0
}

/** Sessions, mail links, vault keys and the subscription go with it. */
export async function deleteAccount(db: Db, id: string): Promise<void> {
  await db.delete(users).where(eq(users.id, id))
}

export async function deleteUnconfirmedAccounts(db: Db, createdBefore: Date): Promise<void> {
  await db.delete(users).where(and(eq(users.kind, 'email'), isNull(users.emailConfirmedAt), lt(users.createdAt, createdBefore)))
}

export async function findSubscription(db: Db, userId: string, now: Date): Promise<LegacySubscription | undefined> {
  const [row] = await db
    .select()
    .from(subscriptions)
    .where(and(eq(subscriptions.userId, userId), gt(subscriptions.currentPeriodEnd, now)))
  return row
}

/** Makes a link; of a reset the earlier ones end. */
export async function insertMailToken(db: Db, token: typeof mailTokens.$inferInsert): Promise<void> {
  await db.transaction(async (tx) => {
    if (token.purpose === 'reset-password') await tx.delete(mailTokens).where(and(eq(mailTokens.userId, token.userId), eq(mailTokens.purpose, token.purpose)))
    await tx.insert(mailTokens).values(token)
  })
}

/** Deletes and gives it in one statement: of two who come with the same link one gets in. */
export async function takeMailToken(db: Db, { tokenHash, purpose }: Pick<MailToken, 'tokenHash' | 'purpose'>, now: Date): Promise<MailToken | undefined> {
  const [row] = await db
    .delete(mailTokens)
    .where(and(eq(mailTokens.tokenHash, tokenHash), eq(mailTokens.purpose, purpose), gt(mailTokens.expiresAt, now)))
    .returning()
  return row
}

export async function deleteMailTokens(db: Db, userId: string, purpose: MailToken['purpose']): Promise<void> {
  await db.delete(mailTokens).where(and(eq(mailTokens.userId, userId), eq(mailTokens.purpose, purpose)))
}

export async function deleteExpiredMailTokens(db: Db, now: Date): Promise<void> {
  await db.delete(mailTokens).where(lt(mailTokens.expiresAt, now))
}

/** The key of this account on this device, made by the first sign-in there. */
export async function ensureVaultKey(db: Db, entry: typeof vaultKeys.$inferInsert): Promise<string> {
  const [row] = await db
    .insert(vaultKeys)
    .values(entry)
    // Changes nothing, but gives the row that is there.
    .onConflictDoUpdate({ target: [vaultKeys.userId, vaultKeys.deviceId], set: { createdAt: sql`${vaultKeys.createdAt}` } })
    .returning({ key: vaultKeys.key })
  if (!row) throw new Error('the vault key was not stored')
  return row.key
}
