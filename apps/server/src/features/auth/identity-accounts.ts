import { isEmail, normalizeEmail } from '@parley/contract/auth'
import { AppError } from '@parley/contract/errors'
import type { FullLanguage } from '@parley/contract/languages'
import { uuidv7 } from '@parley/contract/uuid'
import type { Db } from '../../db/client'
import { requireAccount } from './account-rules'
import { proveUnproved } from './account-secrets-store'
import { type Account, findAccountByEmail, findAccountByGoogle, insertAccount } from './account-store'
import type { Identity } from './identity'
import type { Sessions } from './public/sessions'

type Deps = { db: Db; sessions: Pick<Sessions, 'announceEnd'>; isConfirmationRequired: boolean; now: () => number }

const walletDomains = { ethereum: 'erc20', solana: 'solana', sui: 'sui' } as const

/** Finds the account of a proven identity, or creates it at the first sign-in. */
export class IdentityAccounts {
  constructor(private readonly deps: Deps) {}

  /** A Google account is identified by its `sub` alone. Throws auth.google, auth.email-taken. */
  accountOf(identity: Identity, language: FullLanguage): Promise<Account> {
    return identity.kind === 'google' ? this.googleAccount(identity, language) : this.walletAccount(identity, language)
  }

  private async walletAccount(
    { kind, address }: Extract<Identity, { address: string }>,
    language: FullLanguage,
  ): Promise<Account> {
    const { db, now } = this.deps
    const email = `${address}@${walletDomains[kind]}`
    const at = new Date(now())
    // Ignores a conflict, so that two concurrent first sign-ins create one account.
    await insertAccount(db, { id: uuidv7(), kind, email, language, emailConfirmedAt: at, createdAt: at })
    return requireAccount(await findAccountByEmail(db, email))
  }

  private async googleAccount(
    identity: Extract<Identity, { kind: 'google' }>,
    language: FullLanguage,
  ): Promise<Account> {
    const { db, now, sessions, isConfirmationRequired } = this.deps
    const existing = await findAccountByGoogle(db, identity.sub)
    if (existing) return existing
    const email = normalizeEmail(identity.email)
    if (!isEmail(email)) throw new AppError('auth.google')
    const at = new Date(now())
    const profile = {
      googleSub: identity.sub,
      name: identity.name ?? '',
      picture: identity.picture ?? null,
      emailConfirmedAt: at,
    }
    await insertAccount(db, { id: uuidv7(), kind: 'google', email, language, createdAt: at, ...profile })
    const created = await findAccountByGoogle(db, identity.sub)
    if (created) return created
    const sameEmail = requireAccount(await findAccountByEmail(db, email))
    // An account whose address is proven is not handed over for the address alone; nor, where no confirmation is
    // required, any account, because it may be in use.
    const converted = isConfirmationRequired
      ? await proveUnproved(db, sameEmail.id, { kind: 'google', ...profile }, at)
      : undefined
    if (!converted) throw new AppError('auth.email-taken')
    await sessions.announceEnd(converted.id)
    return converted
  }
}
