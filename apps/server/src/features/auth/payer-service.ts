import type { FullLanguage } from '@parley/contract/languages'
import type { Db } from '../../db/client'
import { findAccount } from './account-store'

type Payer = { email: string | undefined; language: FullLanguage; ethereumAddress: string | undefined }

/** What a payment needs to know of the person: an address that mail reaches, the language of it, and the one wallet that an Ethereum account may pay from. */
export async function payerOf(db: Db, userId: string): Promise<Payer> {
  const account = await findAccount(db, userId)
  const hasMail = account?.kind === 'email' || account?.kind === 'google'
  return {
    email: hasMail ? account.email : undefined,
    language: account?.language ?? 'en-US',
    ethereumAddress: account?.kind === 'ethereum' ? account.email.slice(0, account.email.indexOf('@')) : undefined,
  }
}
