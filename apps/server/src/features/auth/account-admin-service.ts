// What an operator does with accounts, by command line only.
import type { Db } from '../../db/client'
import { type AccountRow, listAccounts, upsertSubscription } from './account-admin-store'
import { type Account, findAccountByEmail, updateAccount } from './account-store'

export type AdminAccount = Pick<Account, 'id'>

/** `email` as normalizeEmail gives it. */
export async function accountByEmail(db: Db, email: string): Promise<AdminAccount | undefined> {
  return findAccountByEmail(db, email)
}

/** Newest first. */
export async function accountPage(db: Db, page: { page: number; size: number }): Promise<{ rows: AccountRow[]; total: number }> {
  return listAccounts(db, page)
}

/** Whoever is blocked can neither sign in nor go on with what they had opened. `at`: null lets them in again. */
export async function setBlocked(db: Db, { userId, at }: { userId: string; at: Date | null }): Promise<void> {
  await updateAccount(db, userId, { blockedAt: at })
}

/** A period of its own; one that is running is replaced. */
export async function grantSubscription(db: Db, { userId, plan, until, now }: { userId: string; plan: string; until: Date; now: Date }): Promise<void> {
  await upsertSubscription(db, { userId, productName: plan, currentPeriodStart: now, currentPeriodEnd: until })
}
