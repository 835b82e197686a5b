import { dollars, minus, type Nano, plus } from '@parley/contract/money'
import { uuidv7 } from '@parley/contract/uuid'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anEmptyLedger, testModel as model } from '../../testing/empty-ledger'
import { LedgerModel, type LedgerStep, LedgerSteps } from '../../testing/ledger-model'
import { aPersonWith, ofCents } from '../../testing/ledger-people'
import { runsOf } from '../../testing/seeded'
import { databases } from '../../testing/test-databases'
import type { SettlementResult } from './hold-service'
import { findBalance } from './ledger-store'

const none = dollars(0)
const holdMs = 61_000

const priceOfPayment = (payment: number): Nano => dollars(payment + 1)
const crash = new Error('the process died here')

describe.each(databases)('many at once on %s', (kind) => {
  type Ledger = Awaited<ReturnType<typeof anEmptyLedger>>

  /** A person, and the results of the calls that were made for them. */
  async function startLife({ db, clock, ledger, holds }: Ledger, startCents: number) {
    const userId = await aPersonWith(db, ledger, ofCents(startCents))
    const name = uuidv7()
    const messages = Array.from({ length: 6 }, () => uuidv7())
    const payments = Array.from({ length: 3 }, () => uuidv7())
    const results = {
      ends: messages.map((): SettlementResult[] => []),
      purchases: [0, 0, 0],
      refunds: [0, 0, 0],
      grants: [0, 0],
      reserved: messages.map((): Nano[] => []),
    }
    const at = (list: readonly string[], n: number): string => list[n] ?? ''

    /** Rolls the transaction back, as when the process dies before the commit. */
    const maybeAbort = async <T>(isAborted: boolean, act: (tx: typeof db) => Promise<T>): Promise<T | undefined> => {
      if (!isAborted) return act(db)
      const aborted = db.transaction(async (tx) => {
        await act(tx)
        throw crash
      })
      await aborted.catch((error: unknown) => {
        if (error !== crash) throw error
      })
      return undefined
    }

    const apply = async (step: LedgerStep): Promise<string> => {
      switch (step.kind) {
        case 'reserve': {
          const reservation = { userId, messageId: at(messages, step.message), amount: ofCents(step.cents), model }
          const isNew = await maybeAbort(step.isAborted, (tx) => holds.reserve(tx, reservation))
          if (isNew) results.reserved[step.message]?.push(reservation.amount)
          return String(isNew)
        }
        case 'settle': {
          const end = { userId, messageId: at(messages, step.message), cost: ofCents(step.cents) }
          const result = await maybeAbort(step.isAborted, (tx) => holds.settle(tx, end))
          if (result) results.ends[step.message]?.push(result)
          return result ? `${result.isNew} ${String(result.charged)}` : 'none'
        }
        case 'extend':
          return String(
            (await holds.extend(db, [{ userId, messageId: at(messages, step.message), cost: ofCents(step.cents) }]))
              .size > 0,
          )
        case 'abandon': {
          const result = await holds.settleAccrued(db, { userId, messageId: at(messages, step.message) })
          if (result) results.ends[step.message]?.push(result)
          return result ? `${result.isNew} ${String(result.charged)}` : 'none'
        }
        case 'purchase': {
          const isNew = await ledger.purchase(db, {
            userId,
            amount: priceOfPayment(step.payment),
            paymentId: at(payments, step.payment),
          })
          results.purchases[step.payment] = (results.purchases[step.payment] ?? 0) + Number(isNew)
          return String(isNew)
        }
        case 'refund': {
          const isNew = await ledger.refund(db, {
            paymentId: at(payments, step.payment),
            amount: priceOfPayment(step.payment),
            sequence: 1,
          })
          results.refunds[step.payment] = (results.refunds[step.payment] ?? 0) + Number(isNew)
          return String(isNew)
        }
        case 'grant': {
          const isNew = await ledger.grant(db, { userId, amount: dollars('0.4'), key: `${name}-${step.grant}` })
          results.grants[step.grant] = (results.grants[step.grant] ?? 0) + Number(isNew)
          return String(isNew)
        }
        case 'sweep':
          if (step.isLater) clock.now += holdMs
          await holds.sweep()
          return ''
      }
    }
    /** A refusal is an error code that people see; any other error fails the test. */
    const take = (step: LedgerStep): Promise<string> =>
      apply(step).catch((error: unknown) => {
        if (error instanceof Error && 'code' in error && String(error.code).startsWith('credits.'))
          return String(error.code)
        throw error
      })
    return { userId, messages, results, take }
  }

  it('serves as many of fifty questions at once as the balance pays for', async () => {
    const { db, ledger, holds } = await anEmptyLedger(kind)
    for (const [balance, each, served] of [
      ['1', '1', 1],
      ['5', '0.75', 6],
      ['2.5', '0.05', 50],
    ] as const) {
      const userId = await aPersonWith(db, ledger, balance)
      const ask = () => holds.reserve(db, { userId, messageId: uuidv7(), amount: dollars(each), model })
      const asked = await Promise.allSettled(Array.from({ length: 50 }, ask))
      expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(served)
      expect((await ledger.spendable(userId)) >= none).toBe(true)
    }
    expect((await ledger.check()).findings).toEqual([])
  })

  it('never goes below zero, never charges a message twice and never loses a cent, in random interleavings with crashes', async () => {
    const world = await anEmptyLedger(kind)
    const { db, clock, ledger, holds } = world
    const property = fc.asyncProperty(
      fc.integer({ min: 80, max: 400 }),
      fc.array(fc.array(LedgerSteps, { minLength: 1, maxLength: 8 }), { minLength: 4, maxLength: 10 }),
      async (startCents, batches) => {
        const { userId, messages, results, take } = await startLife(world, startCents)
        for (const batch of batches) {
          await Promise.all(batch.map(take))
          const balance = await findBalance(db, userId)
          expect(balance && balance.posted >= balance.held && balance.held >= none).toBe(true)
        }
        // No node extends the holds any more.
        clock.now += holdMs
        await holds.sweep()

        let expected = ofCents(startCents)
        const counted = [...results.purchases, ...results.refunds, ...results.grants]
        expect(Math.max(...counted)).toBeLessThanOrEqual(1)
        results.grants.forEach((times) => {
          if (times > 0) expected = plus(expected, dollars('0.4'))
        })
        results.purchases.forEach((times, payment) => {
          if (times > 0) expected = plus(expected, priceOfPayment(payment))
        })
        results.refunds.forEach((times, payment) => {
          if (times > 0) expected = minus(expected, priceOfPayment(payment))
        })
        for (const [n, messageId] of messages.entries()) {
          const charged = await holds.chargedFor({ userId, messageId })
          const ends = results.ends[n] ?? []
          const reserved = results.reserved[n] ?? []
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
    const world = await anEmptyLedger(kind)
    const property = fc.asyncProperty(
      fc.integer({ min: 0, max: 300 }),
      fc.array(LedgerSteps, { minLength: 5, maxLength: 40 }),
      async (startCents, steps) => {
        const { userId, take } = await startLife(world, startCents)
        const expected = new LedgerModel(startCents)
        for (const step of steps) {
          const answer = await take(step)
          if (step.kind !== 'sweep') expect(answer, JSON.stringify(step)).toBe(expected.take(step))
          else if (step.isLater) expected.sweep()
          expect(await world.ledger.spendable(userId)).toBe(ofCents(expected.posted - expected.held))
        }
        // So that the next run sweeps no hold of this one.
        world.clock.now += holdMs
        await world.holds.sweep()
      },
    )
    await fc.assert(property, { numRuns: runsOf(60), endOnFailure: true })
    expect((await world.ledger.check()).findings).toEqual([])
  })
})
