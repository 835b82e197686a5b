import { type Nano, noMoney } from '@parley/contract/money'
import type { FastifyBaseLogger } from 'fastify'
import type { Db } from '../../db/client'
import { macOf } from '../../secrets'
import type { LedgerService } from './public/ledger'

type Deps = {
  db: Db
  ledger: LedgerService
  amount: Nano
  /** The first key hashes the addresses of new grants. The others hashed those of earlier versions. */
  keys: readonly [Buffer, ...Buffer[]]
  /** On a server that only its own machine reaches, an unconfirmed address is enough. */
  isLocal: boolean
  log: FastifyBaseLogger
}
type NewAccount = { id: string; kind: string; email: string; emailConfirmedAt: Date | null }

/**
 * Grants the sign-up credits (SIGNUP_CREDITS), once for each confirmed e-mail address or Google account. It is called
 * at each sign-in, which retries a grant that failed. The ledger keeps a keyed hash of the address, so that a person
 * who deletes the account and signs up again gets no second grant.
 */
export function createSignupCredits({
  db,
  ledger,
  amount,
  keys,
  isLocal,
  log,
}: Deps): (account: NewAccount) => Promise<void> {
  return async ({ id: userId, kind, email, emailConfirmedAt }) => {
    // Wallet accounts are never charged.
    if (amount === noMoney || (kind !== 'email' && kind !== 'google')) return
    if (emailConfirmedAt === null && !isLocal) return
    const [key, ...earlier] = keys.map((each) => `signup:${macOf(each, email)}`)
    if (key === undefined) return
    try {
      await ledger.grantOnce(db, { userId, amount, key, earlier, oncePerPerson: 'signup:' })
    } catch (error) {
      log.error({ err: error }, 'the credits of a sign-up were not granted: the next sign-in tries again')
    }
  }
}
