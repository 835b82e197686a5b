import { type Nano, noMoney } from '@parley/contract/money'
import type { FastifyBaseLogger } from 'fastify'
import type { Db } from '../../db/client'
import { macOf } from '../../secrets'
import type { LedgerService } from './ledger-service'

type Deps = {
  db: Db
  ledger: LedgerService
  amount: Nano
  /** The first marks who got the gift. The others marked it in earlier versions, which had no key of their own for it. */
  keys: readonly [Buffer, ...Buffer[]]
  /** A server that only its own machine reaches gives to whoever signs up there: nobody makes up addresses. */
  isLocal: boolean
  log: FastifyBaseLogger
}
type Newcomer = { id: string; kind: string; email: string; emailConfirmedAt: Date | null }

/**
 * The gift to whoever signs up, once for each proved e-mail or Google account (SIGNUP_CREDITS). Called at each sign-in, so that one that failed is made up
 * for. An address is remembered as a keyed hash: whoever deletes the account and comes back gets no second gift.
 */
export function createSignupCredits({ db, ledger, amount, keys, isLocal, log }: Deps): (account: Newcomer) => Promise<void> {
  return async ({ id: userId, kind, email, emailConfirmedAt }) => {
    // A wallet's account is not charged anything.
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
