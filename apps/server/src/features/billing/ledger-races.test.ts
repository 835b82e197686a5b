import { dollars, minus, type Nano, plus } from '@parley/contract/money'
import { uuidv7 } from '@parley/contract/uuid'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { breakingAfter } from '../../testing/breaking-database'
import { aPersonWith } from '../../testing/ledger-people'
import { runsOf } from '../../testing/seeded'
import { databases, emptyTables, openPostgresql, testDatabase } from '../../testing/test-databases'
import { LedgerService, type Settled } from './ledger-service'
import { findBalance } from './ledger-store'

const model = 'stand-in/large'
const none = dollars(0)
const holdMs = 61_000

/** What can happen to a person's credits, in cents. Numbers name messages, payments and gifts, so that the same one comes more than once. */
const message = fc.nat(5)
const cents = fc.integer({ min: 0, max: 150 })
const Step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('reserve' as const), message, cents: fc.integer({ min: 1, max: 150 }), isCutOff: fc.boolean() }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('settle' as const), message, cents, isCutOff: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('extend' as const), message, cents }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('produced' as const), message }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('purchase' as const), payment: fc.nat(2) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('refund' as const), payment: fc.nat(2) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('grant' as const), gift: fc.nat(1) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('sweep' as const), isLater: fc.boolean() }) },
)
type Step = typeof Step extends fc.Arbitrary<infer S> ? S : never

const ofCents = (amount: number): Nano => dollars((amount / 100).toFixed(2))
const priceOfPayment = (payment: number): Nano => dollars(payment + 1)
const cutOff = new Error('the process died here')

describe.each(databases)('many at once on %s', (kind) => {
  async function setUp() {
    const { db } = await testDatabase(kind)
    await emptyTables(db)
    const clock = { now: Date.parse('2026-11-21T10:00:00Z') }
    return { db, clock, ledger: new LedgerService({ db, now: () => clock.now }) }
  }
  type World = Awaited<ReturnType<typeof setUp>>

  /** A person, and what they were told. */
  async function startLife({ db, clock, ledger }: World, startCents: number) {
    const userId = await aPersonWith(db, ledger, ofCents(startCents))
    const name = uuidv7()
    const messages = Array.from({ length: 6 }, () => uuidv7())
    const payments = Array.from({ length: 3 }, () => uuidv7())
    const told = { ends: messages.map((): Settled[] => []), purchases: [0, 0, 0], refunds: [0, 0, 0], gifts: [0, 0], reserved: messages.map((): Nano[] => []) }
    const at = (list: readonly string[], n: number): string => list[n] ?? ''

    /** As when the process dies before the commit: nothing may be left of it. */
    const maybeCutOff = async <T>(isCutOff: boolean, act: (tx: typeof db) => Promise<T>): Promise<T | undefined> => {
      if (!isCutOff) return act(db)
      const dying = db.transaction(async (tx) => {
        await act(tx)
        throw cutOff
      })
      await dying.catch((error: unknown) => {
        if (error !== cutOff) throw error
      })
      return undefined
    }

    const take = async (step: Step): Promise<string> => {
      switch (step.kind) {
        case 'reserve': {
          const wish = { userId, messageId: at(messages, step.message), amount: ofCents(step.cents), model }
          const isNew = await maybeCutOff(step.isCutOff, (tx) => ledger.reserve(tx, wish))
          if (isNew) told.reserved[step.message]?.push(wish.amount)
          return String(isNew)
        }
        case 'settle': {
          const end = { userId, messageId: at(messages, step.message), cost: ofCents(step.cents) }
          const settled = await maybeCutOff(step.isCutOff, (tx) => ledger.settle(tx, end))
          if (settled) told.ends[step.message]?.push(settled)
          return settled ? `${settled.isNew} ${String(settled.charged)}` : 'none'
        }
        case 'extend':
          return String((await ledger.extend(db, [{ userId, messageId: at(messages, step.message), cost: ofCents(step.cents) }])).size > 0)
        case 'produced': {
          const settled = await ledger.settleProduced(db, { userId, messageId: at(messages, step.message) })
          if (settled) told.ends[step.message]?.push(settled)
          return settled ? `${settled.isNew} ${String(settled.charged)}` : 'none'
        }
        case 'purchase': {
          const isNew = await ledger.purchase(db, { userId, amount: priceOfPayment(step.payment), paymentId: at(payments, step.payment) })
          told.purchases[step.payment] = (told.purchases[step.payment] ?? 0) + Number(isNew)
          return String(isNew)
        }
        case 'refund': {
          const isNew = await ledger.refund(db, { paymentId: at(payments, step.payment), amount: priceOfPayment(step.payment), nth: 1 })
          told.refunds[step.payment] = (told.refunds[step.payment] ?? 0) + Number(isNew)
          return String(isNew)
        }
        case 'grant': {
          const isNew = await ledger.grant(db, { userId, amount: dollars('0.4'), key: `${name}-${step.gift}` })
          told.gifts[step.gift] = (told.gifts[step.gift] ?? 0) + Number(isNew)
          return String(isNew)
        }
        case 'sweep':
          if (step.isLater) clock.now += holdMs
          await ledger.sweep()
          return ''
      }
    }
    /** Whatever is refused is one of the refusals that a person is told of; anything else is a fault. */
    const taken = (step: Step): Promise<string> =>
      take(step).catch((error: unknown) => {
        if (error instanceof Error && 'code' in error && String(error.code).startsWith('credits.')) return String(error.code)
        throw error
      })
    return { userId, messages, told, take: taken }
  }

  it('serves as many of fifty questions at once as the balance pays for', async () => {
    const { db, ledger } = await setUp()
    for (const [balance, each, served] of [
      ['1', '1', 1],
      ['5', '0.75', 6],
      ['2.5', '0.05', 50],
    ] as const) {
      const userId = await aPersonWith(db, ledger, balance)
      const ask = () => ledger.reserve(db, { userId, messageId: uuidv7(), amount: dollars(each), model })
      const asked = await Promise.allSettled(Array.from({ length: 50 }, ask))
      expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(served)
      expect((await ledger.spendable(userId)) >= none).toBe(true)
    }
    expect((await ledger.check()).findings).toEqual([])
  })

  it('never goes below zero, never charges a message twice and never loses a cent, in random interleavings with crashes', async () => {
    const world = await setUp()
    const { db, clock, ledger } = world
    const property = fc.asyncProperty(
      fc.integer({ min: 80, max: 400 }),
      fc.array(fc.array(Step, { minLength: 1, maxLength: 8 }), { minLength: 4, maxLength: 10 }),
      async (startCents, batches) => {
        const { userId, messages, told, take } = await startLife(world, startCents)
        for (const batch of batches) {
          await Promise.all(batch.map(take))
          const balance = await findBalance(db, userId)
          expect(balance && balance.posted >= balance.held && balance.held >= none).toBe(true)
        }
        // Everybody is gone: what is open ends by itself.
        clock.now += holdMs
        await ledger.sweep()

        let expected = ofCents(startCents)
        const counted = [...told.purchases, ...told.refunds, ...told.gifts]
        expect(Math.max(...counted)).toBeLessThanOrEqual(1)
        told.gifts.forEach((times) => {
          if (times > 0) expected = plus(expected, dollars('0.4'))
        })
        told.purchases.forEach((times, payment) => {
          if (times > 0) expected = plus(expected, priceOfPayment(payment))
        })
        told.refunds.forEach((times, payment) => {
          if (times > 0) expected = minus(expected, priceOfPayment(payment))
        })
        for (const [n, messageId] of messages.entries()) {
          const charged = await ledger.charged({ userId, messageId })
          const ends = told.ends[n] ?? []
          const reserved = told.reserved[n] ?? []
          expect(ends.filter(({ isNew }) => isNew).length).toBeLessThanOrEqual(1)
          for (const end of ends) expect(end.charged).toBe(charged)
          expect(reserved.length).toBe(charged === undefined ? 0 : 1)
          expect((charged ?? none) <= (reserved[0] ?? none)).toBe(true)
          expected = minus(expected, charged ?? none)
        }
        const balance = await findBalance(db, userId)
        expect(balance?.held).toBe(none)
        expect(minus(balance?.posted ?? none, balance?.owed ?? none)).toBe(expected)
      },
    )
    await fc.assert(property, { numRuns: runsOf(90), endOnFailure: true })
    expect((await ledger.check()).findings).toEqual([])
  })

  it('does, one step after the other, what a plain list of numbers would', async () => {
    const world = await setUp()
    const property = fc.asyncProperty(fc.integer({ min: 0, max: 300 }), fc.array(Step, { minLength: 5, maxLength: 40 }), async (startCents, steps) => {
      const { userId, take } = await startLife(world, startCents)
      const model = new Model(startCents)
      for (const step of steps) {
        const answer = await take(step)
        if (step.kind !== 'sweep') expect(answer, JSON.stringify(step)).toBe(model.take(step))
        else if (step.isLater) model.sweep()
        expect(await world.ledger.spendable(userId)).toBe(ofCents(model.posted - model.held))
      }
      // Nothing of this life may be swept in the next one.
      world.clock.now += holdMs
      await world.ledger.sweep()
    })
    await fc.assert(property, { numRuns: runsOf(60), endOnFailure: true })
    expect((await world.ledger.check()).findings).toEqual([])
  })
})

/** The rules of the ledger as somebody would do them on paper, in cents. */
class Model {
  posted: number
  held = 0
  private owed = 0
  private readonly holds = new Map<number, { amount: number; produced: number; charged: number | undefined }>()
  private readonly payments = new Map<number, 'bought' | 'returned'>()
  private readonly gifts = new Set<number>()

  constructor(private readonly start: number) {
    this.posted = start
  }

  take(step: Exclude<Step, { kind: 'sweep' }>): string {
    switch (step.kind) {
      case 'reserve':
        return this.reserve(step)
      case 'settle':
        return step.isCutOff ? 'none' : this.end(step.message, step.cents)
      case 'produced':
        return this.end(step.message, this.holds.get(step.message)?.produced ?? 0)
      case 'extend': {
        const hold = this.holds.get(step.message)
        if (!hold || hold.charged !== undefined) return 'false'
        hold.produced = Math.max(hold.produced, step.cents)
        return 'true'
      }
      case 'purchase':
        if (this.payments.has(step.payment)) return 'false'
        this.payments.set(step.payment, 'bought')
        return this.credit(100 * (step.payment + 1))
      case 'grant':
        if (this.gifts.has(step.gift)) return 'false'
        this.gifts.add(step.gift)
        return this.credit(40)
      case 'refund': {
        if (this.payments.get(step.payment) !== 'bought') return 'false'
        this.payments.set(step.payment, 'returned')
        const taken = Math.min(100 * (step.payment + 1), this.posted - this.held)
        this.posted -= taken
        this.owed += 100 * (step.payment + 1) - taken
        return 'true'
      }
    }
  }

  sweep(): void {
    for (const [message, { produced }] of this.holds) this.end(message, produced)
  }

  private reserve({ message, cents: amount, isCutOff }: { message: number; cents: number; isCutOff: boolean }): string {
    const hasAccount = this.start > 0 || this.gifts.size > 0 || this.payments.size > 0
    if (!hasAccount) return 'credits.minimum'
    if (this.holds.has(message)) return isCutOff ? 'undefined' : 'false'
    if (this.owed > 0) return 'credits.owed'
    if (this.posted < 100) return 'credits.minimum'
    if (this.posted - this.held < amount) return 'credits.not-enough'
    if (isCutOff) return 'undefined'
    this.holds.set(message, { amount, produced: 0, charged: undefined })
    this.held += amount
    return 'true'
  }

  private end(message: number, cost: number): string {
    const hold = this.holds.get(message)
    if (!hold) return 'none'
    const inNano = (amount: number): string => String(ofCents(amount))
    if (hold.charged !== undefined) return `false ${inNano(hold.charged)}`
    hold.charged = Math.min(cost, hold.amount)
    this.held -= hold.amount
    this.posted -= hold.charged
    this.payOff()
    return `true ${inNano(hold.charged)}`
  }

  private credit(amount: number): string {
    this.posted += amount
    this.payOff()
    return 'true'
  }

  private payOff(): void {
    const paid = Math.min(this.owed, this.posted - this.held)
    this.owed -= paid
    this.posted -= paid
  }
}

describe.skipIf(!databases.includes('postgresql'))('a connection that breaks (needs TEST_DATABASE_URL)', () => {
  it('before any statement of any operation leaves all of it or nothing, and a repetition completes it once', async () => {
    const { database, url, remove } = await openPostgresql()
    onTestFinished(async () => {
      await database.close()
      await remove()
    })
    const ledger = new LedgerService({ db: database.db, now: Date.now })
    const messageId = uuidv7()
    const paymentId = uuidv7()
    const userId = await aPersonWith(database.db, ledger, '5')
    const operations = [
      (db: typeof database.db) => ledger.grant(db, { userId, amount: dollars(1), key: 'broken' }),
      (db: typeof database.db) => ledger.purchase(db, { userId, amount: dollars(2), paymentId }),
      (db: typeof database.db) => ledger.reserve(db, { userId, messageId, amount: dollars(3), model }),
      (db: typeof database.db) => ledger.extend(db, [{ userId, messageId, cost: dollars('0.5') }]),
      (db: typeof database.db) => ledger.settle(db, { userId, messageId, cost: dollars('1.5') }),
      (db: typeof database.db) => ledger.refund(db, { paymentId, amount: dollars(2), nth: 1 }),
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
    expect(await ledger.charged({ userId, messageId })).toBe(dollars('1.5'))
    expect(breaks.reduce((sum, each) => sum + each)).toBeGreaterThan(25)
    expect((await ledger.check()).findings).toEqual([])
  })
})
