import { randomUUID } from 'node:crypto'
import { dollars, type Nano } from '@parley/contract/money'
import { uuidv7 } from '@parley/contract/uuid'
import type { Db } from '../db/client'
import { users } from '../db/schema'
import type { LedgerService } from '../features/billing/ledger-service'

/** The id of a new person, who has so many dollars. */
export async function aPersonWith(db: Db, ledger: LedgerService, amount: Nano | string): Promise<string> {
  const id = uuidv7()
  await db.insert(users).values({ id, kind: 'email', email: `${id}@example.org` })
  const given = typeof amount === 'string' ? dollars(amount) : amount
  if (given > dollars(0)) await ledger.grant(db, { userId: id, amount: given, key: randomUUID() })
  return id
}
