import { dollars, formatDollars, negated, storedNano } from '@parley/contract/money'
import { uuidv7 } from '@parley/contract/uuid'
import { eq, sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import type { Db } from '../../db/client'
import { ledgerAccounts, ledgerBalances, ledgerEntries, ledgerHolds, ledgerTransactions } from '../../db/ledger-schema'
import { generations, users } from '../../db/schema'
import { aPersonWith } from '../../testing/ledger-people'
import { databases, emptyTables, testDatabase } from '../../testing/test-databases'
import { LedgerService } from './ledger-service'

const model = 'stand-in/large'

describe.each(databases)('the ledger on %s', (kind) => {
  /** An empty ledger whose clock the test moves. */
  async function setUp() {
    const { db } = await testDatabase(kind)
    await emptyTables(db)
    const clock = { now: Date.parse('2026-11-21T10:00:00Z') }
    const ledger = new LedgerService({ db, now: () => clock.now })
    const person = (amount: string) => aPersonWith(db, ledger, amount)
    const has = async (userId: string) => formatDollars(await ledger.spendable(userId))
    const reserve = (userId: string, amount: string, messageId = uuidv7()) =>
      ledger.reserve(db, { userId, messageId, amount: dollars(amount), model }).then((isNew) => ({ isNew, messageId }))
    return { db, clock, ledger, person, has, reserve }
  }
  const inOrder = async (ledger: LedgerService) => expect((await ledger.check()).findings).toEqual([])
  const held = async (db: Db) => (await db.select({ state: ledgerHolds.state }).from(ledgerHolds)).map(({ state }) => state)

  it('gives a grant once for each key, and refuses the key for another one', async () => {
    const { db, ledger, person, has } = await setUp()
    const userId = await person('0')
    const grant = { userId, amount: dollars('2.5'), key: 'welcome' }
    expect(await Promise.all([ledger.grant(db, grant), ledger.grant(db, grant), ledger.grant(db, grant)])).toContain(true)
    expect(await ledger.grant(db, grant)).toBe(false)
    expect(await has(userId)).toBe('2.5')
    await expect(ledger.grant(db, { ...grant, amount: dollars('3') })).rejects.toMatchObject({ code: 'conflict' })
    await expect(ledger.grant(db, { ...grant, userId: await person('0') })).rejects.toMatchObject({ code: 'conflict' })
    for (const amount of [storedNano(0n), negated(dollars(1))])
      await expect(ledger.grant(db, { userId, amount, key: 'bad' })).rejects.toMatchObject({ code: 'validation' })
    expect(await has(userId)).toBe('2.5')
    await inOrder(ledger)
  })

  it('keeps nothing aside for whoever has less than 1 dollar, or less than the answer can cost [ST-053, CH-155]', async () => {
    const { ledger, person, has, reserve } = await setUp()
    await expect(reserve(await person('0'), '0.01')).rejects.toMatchObject({ code: 'credits.minimum', status: 402 })
    await expect(reserve(await person('0.999999999'), '0.01')).rejects.toMatchObject({ code: 'credits.minimum' })
    const userId = await person('1')
    await expect(reserve(userId, '1.000000001')).rejects.toMatchObject({ code: 'credits.not-enough', status: 402 })
    expect(await has(userId)).toBe('1')
    await reserve(userId, '1')
    expect(await has(userId)).toBe('0')
    await expect(reserve(userId, '0.000000001')).rejects.toMatchObject({ code: 'credits.not-enough' })
    await inOrder(ledger)
  })

  it('charges what an answer cost, frees the rest, and says where it went', async () => {
    const { db, clock, ledger, person, has, reserve } = await setUp()
    const userId = await person('5')
    const { messageId } = await reserve(userId, '0.3')
    expect(await has(userId)).toBe('4.7')
    clock.now += 2_000
    const usage = { inputTokens: 20, outputTokens: 120 }
    const settled = await ledger.settle(db, { userId, messageId, cost: dollars('0.0000047'), usage })
    expect(settled).toEqual({ charged: dollars('0.0000047'), spendable: dollars('4.9999953'), isNew: true })
    expect(await ledger.history(userId, { page: 0, size: 10 })).toEqual({
      data: [
        {
          id: expect.stringMatching(/^\d+$/),
          time: '2026-11-21T10:00:02.000Z',
          kind: 'settle',
          amount: '-0.0000047',
          balance: '4.9999953',
          messageId,
          model,
          ...usage,
        },
        { id: expect.stringMatching(/^\d+$/), time: '2026-11-21T10:00:00.000Z', kind: 'grant', amount: '5', balance: '5' },
      ],
      page: 0,
      size: 10,
      total: 2,
    })
    await inOrder(ledger)
  })

  it('charges a message once, however often its end is told and whatever it is told', async () => {
    const { db, ledger, person, has, reserve } = await setUp()
    const userId = await person('5')
    const { messageId } = await reserve(userId, '1')
    const ends = await Promise.all(['0.5', '0.25', '0'].map((cost) => ledger.settle(db, { userId, messageId, cost: dollars(cost) })))
    expect(ends.filter((end) => end?.isNew)).toHaveLength(1)
    expect(new Set(ends.map((end) => end?.charged)).size).toBe(1)
    const again = await ledger.settle(db, { userId, messageId, cost: dollars('1') })
    expect(again).toEqual({ ...ends[0], isNew: false })
    expect(await ledger.charged({ userId, messageId })).toBe(ends[0]?.charged)
    // The question is asked again under the same id: it has been paid.
    expect(await reserve(userId, '1', messageId)).toMatchObject({ isNew: false })
    expect(await has(userId)).toBe(formatDollars(ends[0]?.spendable ?? dollars(0)))
    await inOrder(ledger)
  })

  it('charges nothing for an answer that cost nothing', async () => {
    const { db, ledger, person, has, reserve } = await setUp()
    const userId = await person('5')
    const { messageId } = await reserve(userId, '1')
    expect(await ledger.settle(db, { userId, messageId, cost: dollars(0) })).toMatchObject({ charged: dollars(0), isNew: true })
    expect(await held(db)).toEqual(['released'])
    expect(await has(userId)).toBe('5')
    expect((await ledger.history(userId, { page: 0, size: 10 })).total).toBe(1)
    await inOrder(ledger)
  })

  it('never charges more than was held: what an answer cost beyond it is the platform’s loss', async () => {
    const { db, ledger, person, has, reserve } = await setUp()
    const userId = await person('5')
    const { messageId } = await reserve(userId, '1')
    expect(await ledger.settle(db, { userId, messageId, cost: dollars('1.25') })).toMatchObject({ charged: dollars(1) })
    expect(await has(userId)).toBe('4')
    expect((await ledger.check()).sums.map(({ kind, amount }) => [kind, formatDollars(amount)])).toEqual([
      ['platform_loss', '-0.25'],
      ['promo', '-5'],
      ['revenue', '1.25'],
      ['user', '4'],
    ])
    await inOrder(ledger)
  })

  it('knows no hold of anybody else', async () => {
    const { db, ledger, person, has, reserve } = await setUp()
    const [ana, bob] = [await person('5'), await person('5')]
    const { messageId } = await reserve(ana, '1')
    expect(await ledger.settle(db, { userId: bob, messageId, cost: dollars(1) })).toBeUndefined()
    expect(await ledger.settleProduced(db, { userId: bob, messageId })).toBeUndefined()
    expect([...(await ledger.extend(db, [{ userId: bob, messageId, cost: dollars(1) }]))]).toEqual([])
    expect(await ledger.charged({ userId: bob, messageId })).toBeUndefined()
    expect([await has(ana), await has(bob)]).toEqual(['4', '5'])
  })

  it('stands or falls with the transaction that it is part of', async () => {
    const { db, ledger, person, has, reserve } = await setUp()
    const userId = await person('5')
    const { messageId } = await reserve(userId, '1')
    const broken = db.transaction(async (tx) => {
      await ledger.settle(tx, { userId, messageId, cost: dollars(1) })
      await ledger.reserve(tx, { userId, messageId: uuidv7(), amount: dollars(2), model })
      throw new Error('the answer could not be stored')
    })
    await expect(broken).rejects.toThrow('could not be stored')
    expect(await has(userId)).toBe('4')
    expect(await held(db)).toEqual(['held'])
    // A refusal leaves the rest of the transaction to its caller.
    await db.transaction(async (tx) => {
      await expect(ledger.reserve(tx, { userId, messageId: uuidv7(), amount: dollars(9), model })).rejects.toMatchObject({ code: 'credits.not-enough' })
      await ledger.settle(tx, { userId, messageId, cost: dollars('0.5') })
    })
    expect(await has(userId)).toBe('4.5')
    await inOrder(ledger)
  })

  describe('a hold that nobody ends', () => {
    it('is charged what its answer had produced, and only once by nodes that sweep together', async () => {
      const { db, clock, ledger, person, has, reserve } = await setUp()
      const userId = await person('5')
      const { messageId } = await reserve(userId, '1')
      expect([...(await ledger.extend(db, [{ userId, messageId, cost: dollars('0.2'), usage: { inputTokens: 10, outputTokens: 50 } }]))]).toEqual([messageId])
      // A note that comes late takes nothing back.
      await ledger.extend(db, [{ userId, messageId, cost: dollars('0.1') }])
      clock.now += 59_000
      expect(await ledger.sweep()).toBe(0)
      clock.now += 2_000
      const swept = await Promise.all([ledger.sweep(), ledger.sweep(), ledger.sweep()])
      expect(swept.reduce((sum, each) => sum + each)).toBe(1)
      expect(await has(userId)).toBe('4.8')
      expect(await ledger.settle(db, { userId, messageId, cost: dollars('0.9') })).toMatchObject({ charged: dollars('0.2'), isNew: false })
      expect([...(await ledger.extend(db, [{ userId, messageId, cost: dollars('0.9') }]))]).toEqual([])
      await inOrder(ledger)
    })

    it('is free again when nothing had come', async () => {
      const { clock, ledger, person, has, reserve } = await setUp()
      const userId = await person('5')
      await Promise.all(Array.from({ length: 4 }, () => reserve(userId, '1')))
      clock.now += 61_000
      expect(await ledger.sweep()).toBe(4)
      expect(await has(userId)).toBe('5')
      await inOrder(ledger)
    })

    it('is ended at once by whoever finds its answer dead', async () => {
      const { db, ledger, person, has, reserve } = await setUp()
      const userId = await person('5')
      const { messageId } = await reserve(userId, '1')
      await ledger.extend(db, [{ userId, messageId, cost: dollars('0.4') }])
      expect(await ledger.settleProduced(db, { userId, messageId })).toMatchObject({ charged: dollars('0.4'), isNew: true })
      expect(await has(userId)).toBe('4.6')
    })

    it('is left alone while its answer is under way, and ended when that is over', async () => {
      const { db, clock, ledger, person, has, reserve } = await setUp()
      const userId = await person('5')
      const { messageId } = await reserve(userId, '1')
      await reserve(userId, '2')
      await ledger.extend(db, [{ userId, messageId, cost: dollars('0.2') }])
      const row = { messageId, subject: `user:${userId}`, requestHash: 'h', owner: 'a node', model, storageMode: 'local' as const }
      await db.insert(generations).values({ ...row, status: 'running', heartbeatAt: new Date(clock.now) })
      clock.now += 61_000
      // The other one belongs to no answer.
      expect(await ledger.sweep()).toBe(1)
      expect(await has(userId)).toBe('4')
      await db.update(generations).set({ status: 'interrupted' })
      expect(await ledger.sweep()).toBe(1)
      expect(await has(userId)).toBe('4.8')
      await inOrder(ledger)
    })

    it('is named by the check when no sweeper comes', async () => {
      const { db, clock, ledger, person, reserve } = await setUp()
      await reserve(await person('5'), '1')
      clock.now += 22 * 60_000
      const [{ id } = { id: '' }] = await db.select({ id: ledgerHolds.id }).from(ledgerHolds)
      expect((await ledger.check()).findings).toEqual([{ rule: 'every open hold is alive', id }])
    })
  })

  describe('a payment', () => {
    it('is credited once, and taken back once', async () => {
      const { db, ledger, person, has } = await setUp()
      const userId = await person('0')
      const purchase = { userId, amount: dollars(20), paymentId: uuidv7() }
      expect([await ledger.purchase(db, purchase), await ledger.purchase(db, purchase)]).toEqual([true, false])
      expect(await has(userId)).toBe('20')
      expect(await ledger.refund(db, { paymentId: uuidv7(), amount: dollars(1), nth: 1 })).toBe(false)
      const refunds = await Promise.all([1, 2].map(() => ledger.refund(db, { ...purchase, nth: 1 })))
      expect(refunds.sort()).toEqual([false, true])
      expect(await has(userId)).toBe('0')
      const { data } = await ledger.history(userId, { page: 0, size: 10 })
      expect(data.map((row) => [row.kind, row.amount, row.balance])).toEqual([
        ['refund', '-20', '0'],
        ['purchase', '20', '20'],
      ])
      await inOrder(ledger)
    })

    it('is taken back in parts and given again, each once, and pays off what is owed', async () => {
      const { db, ledger, person, has } = await setUp()
      const userId = await person('0')
      const purchase = { userId, amount: dollars(20), paymentId: uuidv7() }
      await ledger.purchase(db, purchase)
      await ledger.refund(db, { ...purchase, amount: dollars('0.000000001'), nth: 1 })
      expect(await has(userId)).toBe('19.999999999')
      await ledger.refund(db, { ...purchase, amount: dollars('30'), nth: 2 })
      expect(await has(userId)).toBe('0')
      const again = { ...purchase, amount: negated(dollars(25)), nth: 3 }
      expect([await ledger.refund(db, again), await ledger.refund(db, again)]).toEqual([true, false])
      // 10.000000001 of it are owed.
      expect(await has(userId)).toBe('14.999999999')
      await inOrder(ledger)
    })

    it('that is taken back after it was spent is owed, stops what costs, and is paid off by the next', async () => {
      const { db, ledger, person, has, reserve } = await setUp()
      const userId = await person('0')
      const first = { userId, amount: dollars(10), paymentId: uuidv7() }
      await ledger.purchase(db, first)
      const { messageId } = await reserve(userId, '3')
      // Held credits are not taken: the answer is being written.
      await ledger.refund(db, { ...first, nth: 1 })
      expect(await has(userId)).toBe('0')
      await expect(reserve(userId, '0.5')).rejects.toMatchObject({ code: 'credits.owed' })
      // What the answer leaves of it pays off 0.5 of the 3 dollars.
      expect(await ledger.settle(db, { userId, messageId, cost: dollars('2.5') })).toMatchObject({ charged: dollars('2.5'), spendable: dollars(0) })
      await expect(reserve(userId, '0.5')).rejects.toMatchObject({ code: 'credits.owed' })
      await ledger.purchase(db, { userId, amount: dollars(2), paymentId: uuidv7() })
      await expect(reserve(userId, '0.5')).rejects.toMatchObject({ code: 'credits.owed' })
      await ledger.purchase(db, { userId, amount: dollars(5), paymentId: uuidv7() })
      expect(await has(userId)).toBe('4.5')
      await reserve(userId, '0.5')
      await inOrder(ledger)
    })

    it('that is taken back while its credits are held is paid off by what is set free, however the holds end, and each once', async () => {
      const { db, clock, ledger, person, has, reserve } = await setUp()
      const userId = await person('0')
      const purchase = { userId, amount: dollars(20), paymentId: uuidv7() }
      await ledger.purchase(db, purchase)
      const [settled, released, produced, swept] = [
        await reserve(userId, '5'),
        await reserve(userId, '5'),
        await reserve(userId, '5'),
        await reserve(userId, '5'),
      ]
      await ledger.refund(db, { ...purchase, amount: dollars(18), nth: 1 })
      const ends = [settled, settled, released, released].map(({ messageId }, n) => ledger.settle(db, { userId, messageId, cost: dollars(n < 2 ? 1 : 0) }))
      await Promise.all([...ends, ledger.settleProduced(db, { userId, messageId: produced.messageId })])
      // Of the 18 dollars 4, 5 and 5 are paid off.
      expect(await has(userId)).toBe('0')
      await expect(reserve(userId, '0.5')).rejects.toMatchObject({ code: 'credits.owed' })
      await ledger.extend(db, [{ userId, messageId: swept.messageId, cost: dollars('0.25') }])
      clock.now += 61_000
      expect(await ledger.sweep()).toBe(1)
      // 20 - 18 - 1 - 0.25
      expect(await has(userId)).toBe('0.75')
      await inOrder(ledger)
    })
  })

  it('loses the person when their account is deleted, and not a cent', async () => {
    const { db, clock, ledger, person, has, reserve } = await setUp()
    const userId = await person('5')
    const { messageId } = await reserve(userId, '1')
    await ledger.extend(db, [{ userId, messageId, cost: dollars('0.1') }])
    await db.delete(users).where(eq(users.id, userId))
    expect(await db.select({ userId: ledgerAccounts.userId }).from(ledgerAccounts).where(eq(ledgerAccounts.kind, 'user'))).toEqual([{ userId: null }])
    expect(await has(userId)).toBe('0')
    expect(await ledger.settle(db, { userId, messageId, cost: dollars(1) })).toBeUndefined()
    clock.now += 61_000
    expect(await ledger.sweep()).toBe(1)
    expect(await db.select({ posted: ledgerBalances.posted, held: ledgerBalances.held }).from(ledgerBalances)).toEqual([
      { posted: dollars('4.9'), held: dollars(0) },
    ])
    // Nothing in the ledger names them.
    const rows = await Promise.all([ledgerAccounts, ledgerTransactions, ledgerEntries, ledgerHolds, ledgerBalances].map((table) => db.select().from(table)))
    expect(JSON.stringify(rows, (_, value) => (typeof value === 'bigint' ? String(value) : value))).not.toContain(userId)
    await inOrder(ledger)
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
      const { db, ledger, person, reserve } = await setUp()
      const userId = await person('5')
      const { messageId } = await reserve(userId, '1')
      await ledger.settle(db, { userId, messageId, cost: dollars('0.5') })
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
      expect(await refused(db, "update ledger_holds set state = 'held', charged = null, ended_at = null where state = 'settled'")).toMatch(/this hold is over/)
      expect(await refused(db, "update ledger_holds set amount = amount + 1 where state = 'held'")).toMatch(/does not change/)
      expect(await refused(db, "update ledger_accounts set kind = 'revenue' where kind = 'user'")).toMatch(/does not change/)
      await inOrder(ledger)
    })

    it('against sums that are not right, and balances below zero', async () => {
      const { db, ledger, person, reserve } = await setUp()
      const userId = await person('5')
      await reserve(userId, '1')
      const entry = (amount: number) =>
        `insert into ledger_entries (transaction_id, account_id, amount) select t.id, a.id, ${amount} from ledger_transactions t, ledger_accounts a where a.kind = 'user' limit 1`
      expect(await refused(db, entry(1))).toMatch(/must sum to zero/)
      expect(await refused(db, entry(0))).toMatch(/ledger_entries_amount/)
      const empty = "insert into ledger_transactions (id, idem, kind, at) values (gen_random_uuid(), 'x', 'grant', now())"
      expect(await refused(db, empty)).toMatch(/must sum to zero/)
      expect(await refused(db, 'update ledger_balances set posted = held - 1')).toMatch(/ledger_balances_spendable/)
      expect(await refused(db, 'update ledger_balances set held = -1')).toMatch(/ledger_balances_held/)
      expect(await refused(db, 'update ledger_balances set owed = -1')).toMatch(/ledger_balances_owed/)
      await inOrder(ledger)
    })

    it('and whatever is wrong all the same is named by the check, which changes nothing', async () => {
      const { db, ledger, person, reserve } = await setUp()
      const userId = await person('5')
      await reserve(userId, '1')
      await db.execute(sql`update ledger_balances set posted = posted + 1, held = held - 1`)
      const { findings } = await ledger.check()
      expect(findings.map(({ rule }) => rule)).toEqual(['a balance is the sum of its entries', 'what is held is the sum of the open holds'])
      expect((await ledger.check()).findings).toEqual(findings)
    })
  })

  it('gives the history in pages, newest first, of nobody else', async () => {
    const { db, ledger, person } = await setUp()
    const [ana, bob] = [await person('1'), await person('7')]
    for (let n = 2; n <= 7; n++) await ledger.grant(db, { userId: ana, amount: dollars(n), key: `g${n}` })
    const page = async (number: number) => (await ledger.history(ana, { page: number, size: 3 })).data.map(({ amount }) => amount)
    expect([await page(0), await page(1), await page(2), await page(3)]).toEqual([['7', '6', '5'], ['4', '3', '2'], ['1'], []])
    expect((await ledger.history(ana, { page: 1, size: 3 })).total).toBe(7)
    expect((await ledger.history(bob, { page: 0, size: 3 })).data.map(({ amount }) => amount)).toEqual(['7'])
  })
})
