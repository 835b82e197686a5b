import { dollars } from '@parley/contract/money'
import { uuidv7 } from '@parley/contract/uuid'
import { describe, expect, it, onTestFinished } from 'vitest'
import { breakingAfter } from '../../testing/breaking-database'
import { testModel as model } from '../../testing/empty-ledger'
import { aPersonWith } from '../../testing/ledger-people'
import { databases, openPostgresql } from '../../testing/test-databases'
import { HoldService } from './hold-service'
import { LedgerService } from './public/ledger'

describe.skipIf(!databases.includes('postgresql'))('a connection that breaks (needs TEST_DATABASE_URL)', () => {
  it('before any statement of any operation leaves all of it or nothing, and a repetition completes it once', async () => {
    const { database, url, remove } = await openPostgresql()
    onTestFinished(async () => {
      await database.close()
      await remove()
    })
    const deps = { db: database.db, now: Date.now }
    const [ledger, holds] = [new LedgerService(deps), new HoldService(deps)]
    const messageId = uuidv7()
    const paymentId = uuidv7()
    const userId = await aPersonWith(database.db, ledger, '5')
    const operations = [
      (db: typeof database.db) => ledger.grant(db, { userId, amount: dollars(1), key: 'broken' }),
      (db: typeof database.db) => ledger.purchase(db, { userId, amount: dollars(2), paymentId }),
      (db: typeof database.db) => holds.reserve(db, { userId, messageId, amount: dollars(3), model }),
      (db: typeof database.db) => holds.extend(db, [{ userId, messageId, cost: dollars('0.5') }]),
      (db: typeof database.db) => holds.settle(db, { userId, messageId, cost: dollars('1.5') }),
      (db: typeof database.db) => ledger.refund(db, { paymentId, amount: dollars(2), sequence: 1 }),
    ]
    const breaks: number[] = []
    for (const act of operations) {
      const before = await ledger.spendable(userId)
      let survived = 0
      for (let statements = 0; ; statements++) {
        const { db, end } = breakingAfter(url, statements)
        const isDone = await act(db).then(
          () => true,
          () => false,
        )
        await end()
        if (isDone) break
        survived++
        expect((await ledger.check()).findings).toEqual([])
        expect(await ledger.spendable(userId)).toBe(before)
      }
      breaks.push(survived)
      await act(database.db)
    }
    // 5 + 1 + 2 - 1.5 - 2
    expect(await ledger.spendable(userId)).toBe(dollars('4.5'))
    expect(await holds.chargedFor({ userId, messageId })).toBe(dollars('1.5'))
    expect(breaks.reduce((sum, each) => sum + each)).toBeGreaterThan(25)
    expect((await ledger.check()).findings).toEqual([])
  })
})
