import type { Db } from '../../db/client'
import { findAccount, findSubscription } from './account-store'

/** Whether nothing counts this account's use: a wallet's, and that of whoever subscribed before there were credits, to the end of their period. */
export async function isUnlimited(db: Db, userId: string, now: Date): Promise<boolean> {
  const account = await findAccount(db, userId)
  if (!account) return false
  return account.kind === 'ethereum' || account.kind === 'solana' || account.kind === 'sui' || (await findSubscription(db, userId, now)) !== undefined
}
