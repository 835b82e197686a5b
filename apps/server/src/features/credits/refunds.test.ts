import { dollars, negated } from '@parley/contract/money'
import { uuidv7 } from '@parley/contract/uuid'
import { describe, expect, it } from 'vitest'
import { anEmptyLedger } from '../../testing/empty-ledger'
import { databases } from '../../testing/test-databases'
import { creditHistory } from './history-service'

describe.each(databases)('the ledger on %s', (kind) => {
  describe('a payment', () => {
    it('is credited once, and taken back once', async () => {
      const { db, ledger, person, spendable, expectInOrder } = await anEmptyLedger(kind)
      const userId = await person('0')
      const purchase = { userId, amount: dollars(20), paymentId: uuidv7() }
      expect([await ledger.purchase(db, purchase), await ledger.purchase(db, purchase)]).toEqual([true, false])
      expect(await spendable(userId)).toBe('20')
      expect(await ledger.refund(db, { paymentId: uuidv7(), amount: dollars(1), sequence: 1 })).toBe(false)
      const refunds = await Promise.all([1, 2].map(() => ledger.refund(db, { ...purchase, sequence: 1 })))
      expect(refunds.sort()).toEqual([false, true])
      expect(await spendable(userId)).toBe('0')
      const { data } = await creditHistory(db, userId, { page: 0, size: 10 })
      expect(data.map((row) => [row.kind, row.amount, row.balance])).toEqual([
        ['refund', '-20', '0'],
        ['purchase', '20', '20'],
      ])
      await expectInOrder()
    })

    it('is taken back in parts and given again, each once, and pays off what is owed', async () => {
      const { db, ledger, person, spendable, expectInOrder } = await anEmptyLedger(kind)
      const userId = await person('0')
      const purchase = { userId, amount: dollars(20), paymentId: uuidv7() }
      await ledger.purchase(db, purchase)
      await ledger.refund(db, { ...purchase, amount: dollars('0.000000001'), sequence: 1 })
      expect(await spendable(userId)).toBe('19.999999999')
      await ledger.refund(db, { ...purchase, amount: dollars('30'), sequence: 2 })
      expect(await spendable(userId)).toBe('0')
      const again = { ...purchase, amount: negated(dollars(25)), sequence: 3 }
      expect([await ledger.refund(db, again), await ledger.refund(db, again)]).toEqual([true, false])
      // 10.000000001 of it are owed.
      expect(await spendable(userId)).toBe('14.999999999')
      await expectInOrder()
    })

    it('that is taken back after it was spent is owed, stops what costs, and is paid off by the next', async () => {
      const { db, ledger, holds, person, spendable, reserve, expectInOrder } = await anEmptyLedger(kind)
      const userId = await person('0')
      const first = { userId, amount: dollars(10), paymentId: uuidv7() }
      await ledger.purchase(db, first)
      const { messageId } = await reserve(userId, '3')
      // Held credits are not taken: the answer is being written.
      await ledger.refund(db, { ...first, sequence: 1 })
      expect(await spendable(userId)).toBe('0')
      await expect(reserve(userId, '0.5')).rejects.toMatchObject({ code: 'credits.owed' })
      // What the answer leaves of it pays off 0.5 of the 3 dollars.
      expect(await holds.settle(db, { userId, messageId, cost: dollars('2.5') })).toMatchObject({
        charged: dollars('2.5'),
        spendable: dollars(0),
      })
      await expect(reserve(userId, '0.5')).rejects.toMatchObject({ code: 'credits.owed' })
      await ledger.purchase(db, { userId, amount: dollars(2), paymentId: uuidv7() })
      await expect(reserve(userId, '0.5')).rejects.toMatchObject({ code: 'credits.owed' })
      await ledger.purchase(db, { userId, amount: dollars(5), paymentId: uuidv7() })
      expect(await spendable(userId)).toBe('4.5')
      await reserve(userId, '0.5')
      await expectInOrder()
    })

    it('that is taken back while its credits are held is paid off by what is set free, however the holds end, and each once', async () => {
      const { db, clock, ledger, holds, person, spendable, reserve, expectInOrder } = await anEmptyLedger(kind)
      const userId = await person('0')
      const purchase = { userId, amount: dollars(20), paymentId: uuidv7() }
      await ledger.purchase(db, purchase)
      const [settled, released, produced, swept] = [
        await reserve(userId, '5'),
        await reserve(userId, '5'),
        await reserve(userId, '5'),
        await reserve(userId, '5'),
      ]
      await ledger.refund(db, { ...purchase, amount: dollars(18), sequence: 1 })
      const ends = [settled, settled, released, released].map(({ messageId }, n) =>
        holds.settle(db, { userId, messageId, cost: dollars(n < 2 ? 1 : 0) }),
      )
      await Promise.all([...ends, holds.settleAccrued(db, { userId, messageId: produced.messageId })])
      // Of the 18 dollars 4, 5 and 5 are paid off.
      expect(await spendable(userId)).toBe('0')
      await expect(reserve(userId, '0.5')).rejects.toMatchObject({ code: 'credits.owed' })
      await holds.extend(db, [{ userId, messageId: swept.messageId, cost: dollars('0.25') }])
      clock.now += 61_000
      expect(await holds.sweep()).toBe(1)
      // 20 - 18 - 1 - 0.25
      expect(await spendable(userId)).toBe('0.75')
      await expectInOrder()
    })
  })
})
