import type { Db } from '../../../db/client'
import { type Account, findAccount, findSubscription } from '../account-store'

/** Wallet accounts are never charged, legacy subscribers not until their period ends. */
export async function isUnlimited(db: Db, userId: string, now: Date): Promise<boolean> {
  const account = await findAccount(db, userId)
  if (!account) return false
  return isWallet(account) || (await findSubscription(db, userId, now)) !== undefined
}

export async function isWalletAccount(db: Db, userId: string): Promise<boolean> {
  const account = await findAccount(db, userId)
  return account !== undefined && isWallet(account)
}

const isWallet = ({ kind }: Account): boolean => kind === 'ethereum' || kind === 'solana' || kind === 'sui'
