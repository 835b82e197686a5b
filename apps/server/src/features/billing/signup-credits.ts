import { createHmac, hkdfSync } from 'node:crypto'
import { type Nano, noMoney } from '@parley/contract/money'
import type { FastifyBaseLogger } from 'fastify'
import type { Db } from '../../db/client'
import type { LedgerService } from './ledger-service'

type Deps = { db: Db; ledger: LedgerService; amount: Nano; secret: string; log: FastifyBaseLogger }
type Newcomer = { id: string; kind: string; email: string }

/**
 * The gift to whoever signs up, once for each confirmed e-mail or Google account (SIGNUP_CREDITS). Called at each sign-in, so that one that failed is made
 * up for. An address is remembered as a keyed hash: whoever deletes the account and comes back gets no second gift.
 */
export function createSignupCredits({ db, ledger, amount, secret, log }: Deps): (account: Newcomer) => Promise<void> {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'parley:signup-credits', 32))
  return async ({ id, kind, email }) => {
    // A wallet's account is not charged anything.
    if (amount === noMoney || (kind !== 'email' && kind !== 'google')) return
    const address = createHmac('sha256', key).update(email).digest('base64url')
    try {
      await ledger.grantOnce(db, { userId: id, amount, key: `signup:${address}` })
    } catch (error) {
      log.error({ err: error }, 'the credits of a sign-up were not granted: the next sign-in tries again')
    }
  }
}
