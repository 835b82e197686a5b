import { randomUUID } from 'node:crypto'
import { dollars, type Nano } from '@parley/contract/money'
import { uuidv7 } from '@parley/contract/uuid'
import type { Db } from '../db/client'
import { users } from '../db/schema/users'
import { HoldService } from '../features/credits/hold-service'
import { type Balance, findBalance } from '../features/credits/ledger-store'
import type { LedgerService } from '../features/credits/public/ledger'

export const ofCents = (cents: number): Nano => dollars((cents / 100).toFixed(2))

/** The id of a new person, who has so many dollars. */
export async function aPersonWith(db: Db, ledger: LedgerService, amount: Nano | string): Promise<string> {
  const id = uuidv7()
  await db.insert(users).values({ id, kind: 'email', email: `${id}@example.org` })
  const given = typeof amount === 'string' ? dollars(amount) : amount
  if (given > dollars(0)) await ledger.grant(db, { userId: id, amount: given, key: randomUUID() })
  return id
}

export function aHoldService(db: Db, now: () => number = Date.now): HoldService {
  return new HoldService({ db, now })
}

/** The row of a person's balance, with its holds and debt. */
export async function ledgerBalanceOf(db: Db, userId: string): Promise<Balance> {
  const balance = await findBalance(db, userId)
  if (!balance) throw new Error('the person has no account in the ledger')
  return balance
}
