// The operator's commands about accounts; no route calls these.
import type { Db } from '../../../db/client'
import { type AccountRow, listAccounts, upsertSubscription } from '../account-admin-store'
import { type Account, findAccountByEmail, updateAccount } from '../account-store'

export type AdminAccount = Pick<Account, 'id'>

/** `email` has to be normalized by normalizeEmail. */
export async function accountByEmail(db: Db, email: string): Promise<AdminAccount | undefined> {
  return findAccountByEmail(db, email)
}

/** Newest first. */
export async function accountPage(
  db: Db,
  page: { page: number; size: number },
): Promise<{ rows: AccountRow[]; total: number }> {
  return listAccounts(db, page)
}

/** `at` blocks sign-ins and all sessions of the account; null unblocks it. */
export async function setBlocked(db: Db, { userId, at }: { userId: string; at: Date | null }): Promise<void> {
  await updateAccount(db, userId, { blockedAt: at })
}

/** Replaces a subscription that has not ended yet. */
export async function grantSubscription(
  db: Db,
  { userId, plan, until, now }: { userId: string; plan: string; until: Date; now: Date },
): Promise<void> {
  await upsertSubscription(db, { userId, productName: plan, currentPeriodStart: now, currentPeriodEnd: until })
}
