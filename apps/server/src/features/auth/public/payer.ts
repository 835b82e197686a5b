import type { FullLanguage } from '@parley/contract/languages'
import type { Db } from '../../../db/client'
import { findAccount } from '../account-store'

/** `email`: undefined for an account that mail cannot reach. */
type Payer = { email: string | undefined; language: FullLanguage; ethereumAddress: string | undefined }

/** `ethereumAddress` is the only wallet that an Ethereum account may pay from; other accounts may use any. */
export async function payerOf(db: Db, userId: string): Promise<Payer> {
  const account = await findAccount(db, userId)
  const hasMail = account?.kind === 'email' || account?.kind === 'google'
  return {
    email: hasMail ? account.email : undefined,
    language: account?.language ?? 'en-US',
    ethereumAddress: account?.kind === 'ethereum' ? account.email.slice(0, account.email.indexOf('@')) : undefined,
  }
}
