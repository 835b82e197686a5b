import { dollars, formatDollars } from '@parley/contract/money'
import { uuidv7 } from '@parley/contract/uuid'
import { expect } from 'vitest'
import type { DatabaseKind } from '../db/client'
import { ledgerHolds } from '../db/schema/credits'
import { HoldService } from '../features/credits/hold-service'
import { LedgerService } from '../features/credits/public/ledger'
import { aPersonWith } from './ledger-people'
import { emptyTables, testDatabase } from './test-databases'

export const testModel = 'stand-in/large'

/** An empty ledger whose clock the test moves. */
export async function anEmptyLedger(kind: DatabaseKind) {
  const { db } = await testDatabase(kind)
  await emptyTables(db)
  const clock = { now: Date.parse('2026-11-21T10:00:00Z') }
  const now = (): number => clock.now
  const [ledger, holds] = [new LedgerService({ db, now }), new HoldService({ db, now })]
  return {
    ...{ db, clock, ledger, holds },
    person: (amount: string): Promise<string> => aPersonWith(db, ledger, amount),
    spendable: async (userId: string): Promise<string> => formatDollars(await ledger.spendable(userId)),
    async reserve(userId: string, amount: string, messageId = uuidv7()) {
      const isNew = await holds.reserve(db, { userId, messageId, amount: dollars(amount), model: testModel })
      return { isNew, messageId }
    },
    async holdStates() {
      return (await db.select({ state: ledgerHolds.state }).from(ledgerHolds)).map(({ state }) => state)
    },
    async expectInOrder(): Promise<void> {
      expect((await ledger.check()).findings).toEqual([])
    },
  }
}
