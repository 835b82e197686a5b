import type { Db } from '../../db/client'
import { findAccount } from './account-store'

/** What a payment needs to know of the person: an address that mail reaches, and the one wallet that an Ethereum account may pay from. */
export async function payerOf(db: Db, userId: string): Promise<{ email: string | undefined; ethereumAddress: string | undefined }> {
  const account = await findAccount(db, userId)
  const hasMail = account?.kind === 'email' || account?.kind === 'google'
  return {
    email: hasMail ? account.email : undefined,
    ethereumAddress: account?.kind === 'ethereum' ? account.email.slice(0, account.email.indexOf('@')) : undefined,
  }
}
