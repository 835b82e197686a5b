import { dollars, negated, storedNano } from '@parley/contract/money'
import { eq, sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import type { Db } from '../../db/client'
import { ledgerAccounts, ledgerBalances, ledgerEntries, ledgerHolds, ledgerTransactions } from '../../db/schema/credits'
import { users } from '../../db/schema/users'
import { anEmptyLedger } from '../../testing/empty-ledger'
import { databases } from '../../testing/test-databases'

describe.each(databases)('the ledger on %s', (kind) => {
  it('gives a grant once for each key, and refuses the key for another one', async () => {
    const { db, ledger, person, spendable, expectInOrder } = await anEmptyLedger(kind)
    const userId = await person('0')
    const grant = { userId, amount: dollars('2.5'), key: 'welcome' }
    expect(await Promise.all([ledger.grant(db, grant), ledger.grant(db, grant), ledger.grant(db, grant)])).toContain(
      true,
    )
    expect(await ledger.grant(db, grant)).toBe(false)
    expect(await spendable(userId)).toBe('2.5')
    await expect(ledger.grant(db, { ...grant, amount: dollars('3') })).rejects.toMatchObject({ code: 'conflict' })
    await expect(ledger.grant(db, { ...grant, userId: await person('0') })).rejects.toMatchObject({ code: 'conflict' })
    for (const amount of [storedNano(0n), negated(dollars(1))])
      await expect(ledger.grant(db, { userId, amount, key: 'bad' })).rejects.toMatchObject({ code: 'validation' })
    expect(await spendable(userId)).toBe('2.5')
    await expectInOrder()
  })

  it('loses the person when their account is deleted, and not a cent', async () => {
    const { db, clock, holds, person, spendable, reserve, expectInOrder } = await anEmptyLedger(kind)
    const userId = await person('5')
    const { messageId } = await reserve(userId, '1')
    await holds.extend(db, [{ userId, messageId, cost: dollars('0.1') }])
    await db.delete(users).where(eq(users.id, userId))
    expect(
      await db.select({ userId: ledgerAccounts.userId }).from(ledgerAccounts).where(eq(ledgerAccounts.kind, 'user')),
    ).toEqual([{ userId: null }])
    expect(await spendable(userId)).toBe('0')
    expect(await holds.settle(db, { userId, messageId, cost: dollars(1) })).toBeUndefined()
    clock.now += 61_000
    expect(await holds.sweep()).toBe(1)
    expect(await db.select({ posted: ledgerBalances.posted, held: ledgerBalances.held }).from(ledgerBalances)).toEqual([
      { posted: dollars('4.9'), held: dollars(0) },
    ])
    // Nothing in the ledger names them.
    const rows = await Promise.all(
      [ledgerAccounts, ledgerTransactions, ledgerEntries, ledgerHolds, ledgerBalances].map((table) =>
        db.select().from(table),
      ),
    )
    expect(JSON.stringify(rows, (_, value) => (typeof value === 'bigint' ? String(value) : value))).not.toContain(
      userId,
    )
    await expectInOrder()
  })

  describe('guards itself in the database', () => {
    const refused = async (db: Db, statement: string) => {
      const failed = db.execute(sql.raw(statement)).then(
        () => 'done',
        (error: Error) => String(error.cause),
      )
      return failed
    }

    it('against changes of what has happened', async () => {
      const { db, holds, person, reserve, expectInOrder } = await anEmptyLedger(kind)
      const userId = await person('5')
      const { messageId } = await reserve(userId, '1')
      await holds.settle(db, { userId, messageId, cost: dollars('0.5') })
      await reserve(userId, '1')
      for (const statement of [
        'update ledger_entries set amount = amount + 1',
        'delete from ledger_entries',
        "update ledger_transactions set kind = 'refund'",
        'delete from ledger_transactions',
        'delete from ledger_holds',
        'delete from ledger_balances',
        'delete from ledger_accounts',
      ])
        expect(await refused(db, statement), statement).toMatch(/can only be added/)
      expect(
        await refused(
          db,
          "update ledger_holds set state = 'held', charged = null, ended_at = null where state = 'settled'",
        ),
      ).toMatch(/this hold is over/)
      expect(await refused(db, "update ledger_holds set amount = amount + 1 where state = 'held'")).toMatch(
        /does not change/,
      )
      expect(await refused(db, "update ledger_accounts set kind = 'revenue' where kind = 'user'")).toMatch(
        /does not change/,
      )
      await expectInOrder()
    })

    it('against sums that are not right, and balances below zero', async () => {
      const { db, person, reserve, expectInOrder } = await anEmptyLedger(kind)
      const userId = await person('5')
      await reserve(userId, '1')
      const entry = (amount: number) =>
        `insert into ledger_entries (transaction_id, account_id, amount) select t.id, a.id, ${amount} from ledger_transactions t, ledger_accounts a where a.kind = 'user' limit 1`
      expect(await refused(db, entry(1))).toMatch(/must sum to zero/)
      expect(await refused(db, entry(0))).toMatch(/ledger_entries_amount/)
      const empty =
        "insert into ledger_transactions (id, idem, kind, at) values (gen_random_uuid(), 'x', 'grant', now())"
      expect(await refused(db, empty)).toMatch(/must sum to zero/)
      expect(await refused(db, 'update ledger_balances set posted = held - 1')).toMatch(/ledger_balances_spendable/)
      expect(await refused(db, 'update ledger_balances set held = -1')).toMatch(/ledger_balances_held/)
      expect(await refused(db, 'update ledger_balances set owed = -1')).toMatch(/ledger_balances_owed/)
      await expectInOrder()
    })

    it('and whatever is wrong all the same is named by the check, which changes nothing', async () => {
      const { db, ledger, person, reserve } = await anEmptyLedger(kind)
      const userId = await person('5')
      await reserve(userId, '1')
      await db.execute(sql`update ledger_balances set posted = posted + 1, held = held - 1`)
      const { findings } = await ledger.check()
      expect(findings.map(({ rule }) => rule)).toEqual([
        'a balance is the sum of its entries',
        'what is held is the sum of the open holds',
      ])
      expect((await ledger.check()).findings).toEqual(findings)
    })
  })
})
