import { limits } from '@parley/contract/limits'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { databases } from '../../testing/build-test-app'
import { ofCents, PaymentLife, startCents } from '../../testing/payment-life'
import { giveBack } from '../../testing/payment-orders'
import { type PaymentProviders, startPaymentProviders } from '../../testing/payment-providers'
import { aPerson } from '../../testing/person'
import { aRandomShop, statusesOf, sweepAll } from '../../testing/random-shop'
import { seeded } from '../../testing/seeded'

let providers: PaymentProviders
beforeAll(async () => {
  providers = await startPaymentProviders()
})
afterAll(() => providers.close())
beforeEach(() => {
  providers.ways.card.mend()
  providers.ways.pix.mend()
})

describe.each(databases)('payments and everything that goes wrong, on %s', { timeout: 180_000 }, (kind) => {
  const aShop = () => aRandomShop({ kind, providers })

  it('ends the same whatever the order of its notices, and whether they come after each step or long after', async () => {
    const shop = await aShop()
    const { app, ledger } = shop
    const stranger = await aPerson(app, 'stranger@example.org')
    const Purchase = fc.record({
      method: fc.constantFrom('card' as const, 'pix' as const),
      dollars: fc.integer({ min: 1, max: 12 }),
      how: fc.constantFrom('right' as const, 'right' as const, 'right' as const, 'less' as const, 'moved' as const),
      isPaid: fc.boolean(),
      isReturned: fc.boolean(),
    })
    const types = ['checkout.session.completed', 'charge.refunded', 'checkout.session.expired']
    const seen = new Map<string, number>()
    const property = fc.asyncProperty(fc.array(Purchase, { minLength: 2, maxLength: 6 }), fc.infiniteStream(fc.nat()), async (purchases, order) => {
      const shuffled = <T>(list: readonly T[]): T[] =>
        list
          .map((one) => ({ one, at: order.next().value }))
          .sort((a, b) => a.at - b.at)
          .map(({ one }) => one)
      const lives: PaymentLife[] = []
      for (let n = 0; n < 3; n++) {
        const life = await PaymentLife.begin(shop, stranger)
        lives.push(life)
        for (const { method, dollars: amount } of purchases) await life.make({ kind: 'start', method, dollars: amount, key: null })
        const tell = async (which: number, type: string | undefined): Promise<void> => {
          const one = life.orders[which]
          if (one) expect(await life.tell(one, 'new', type)).toBe(200)
        }
        for (const [which, purchase] of purchases.entries()) {
          if (purchase.isPaid) await life.make({ kind: 'pay', which, how: purchase.how, after: 0 })
          if (n === 0) await tell(which, types[0])
          if (purchase.isPaid && purchase.isReturned) await life.make({ kind: 'return', which, how: 'whole', tenths: 10, after: 0 })
          if (n === 0) await tell(which, types[1])
        }
        const late = shuffled(purchases.flatMap((_, which) => types.map((type) => ({ which, type }))))
        for (let next = 0; next < late.length; next += 3) await Promise.all(late.slice(next, next + 3).map(({ which, type }) => tell(which, type)))
      }
      const ends = await Promise.all(
        lives.map(async (life) => {
          const found = await statusesOf(life)
          return { balance: String(await ledger.balance(life.userId)), statuses: life.orders.map(({ id }) => found.get(id)) }
        }),
      )
      for (const end of ends) expect(end).toEqual(ends[0])
      for (const status of ends[0]?.statuses ?? []) seen.set(status ?? '', (seen.get(status ?? '') ?? 0) + 1)
    })
    await seeded((seed) => fc.assert(property, { seed, numRuns: 12, endOnFailure: true }))
    for (const status of ['pending', 'completed', 'refunded']) expect(seen.get(status) ?? 0, status).toBeGreaterThan(0)
    expect((await ledger.check()).findings).toEqual([])
  })

  it('does not give again what was given back while an older answer of the provider was on its way', async () => {
    const shop = await aShop()
    const { app, ledger } = shop
    const life = await PaymentLife.begin(shop, await aPerson(app, 'stranger@example.org'))
    for (const method of ['card', 'pix'] as const)
      for (const isGranted of [false, true]) {
        await life.make({ kind: 'start', method, dollars: 5, key: null })
        const which = life.orders.length - 1
        const order = life.orders[which]
        if (!order) throw new Error('no order')
        await life.make({ kind: 'pay', which, how: 'right', after: 0 })
        if (isGranted) expect(await life.tell(order)).toBe(200)
        const way = providers.ways[method]
        let letGo: (() => void) | undefined
        const isHeld = new Promise<void>((held) => {
          way.after = () => {
            way.mend()
            held()
            return new Promise((resolve) => {
              letGo = () => resolve(undefined)
            })
          }
        })
        const old = life.tell(order)
        await isHeld
        giveBack(order)
        expect(await life.tell(order, 'new', 'charge.refunded')).toBe(200)
        letGo?.()
        expect(await old).toBe(200)
        expect((await statusesOf(life)).get(order.id), `${method} ${isGranted}`).toBe('refunded')
        expect(await ledger.balance(life.userId)).toBe(ofCents(startCents))
      }
    expect((await ledger.check()).findings).toEqual([])
  })

  it('still finds the money of a purchase of which the same call failed at the same moment', async () => {
    const shop = await aShop()
    const life = await PaymentLife.begin(shop, await aPerson(shop.app, 'stranger@example.org'))
    for (const method of ['card', 'pix'] as const) {
      const way = providers.ways[method]
      // The second call comes before the first is answered, and fails after.
      let [calls, meet, lose] = [0, () => {}, () => {}]
      const met = new Promise<undefined>((resolve) => {
        meet = () => resolve(undefined)
      })
      const lost = new Promise<number>((resolve) => {
        lose = () => resolve(429)
      })
      way.after = () => {
        if (++calls === 1) return met
        meet()
        return lost
      }
      const start = () => life.make({ kind: 'start', method, dollars: 5, key: method === 'card' ? 0 : 1 })
      const both = [start(), start()]
      await Promise.race(both)
      lose()
      await Promise.all(both)
      expect(calls).toBe(2)
      way.mend()
      const which = life.orders.length - 1
      expect(life.shown.has(life.orders[which]?.id ?? '')).toBe(true)
      await life.make({ kind: 'pay', which, how: 'right', after: 0 })
    }
    await life.later(2 * limits.payments.askAgainMs)
    await shop.sweep()
    expect([...(await statusesOf(life)).values()]).toEqual(['completed', 'completed'])
  })

  it('keeps a payment open that it could not ask for, whatever came in place of the provider’s answer', async () => {
    const shop = await aShop()
    const life = await PaymentLife.begin(shop, await aPerson(shop.app, 'stranger@example.org'))
    for (const method of ['card', 'pix'] as const) await life.make({ kind: 'start', method, dollars: 5, key: null })
    for (const which of [0, 1]) await life.make({ kind: 'pay', which, how: 'right', after: 0 })
    for (const way of [providers.ways.card, providers.ways.pix]) way.before = () => 429
    await life.later(25 * 3_600_000)
    await shop.sweep()
    expect([...(await statusesOf(life)).values()]).toEqual(['pending', 'pending'])
    for (const way of [providers.ways.card, providers.ways.pix]) way.mend()
    await sweepAll(shop, life)
    expect([...(await statusesOf(life)).values()]).toEqual(['completed', 'completed'])
  })

  it('takes back part by part what was paid on a page that the server never heard of', async () => {
    const shop = await aShop()
    const life = await PaymentLife.begin(shop, await aPerson(shop.app, 'stranger@example.org'))
    providers.ways.card.after = () => 429
    await life.make({ kind: 'start', method: 'card', dollars: 4, key: null })
    providers.ways.card.mend()
    const [order] = life.orders
    if (order?.method !== 'card') throw new Error('no order')
    await life.make({ kind: 'pay', which: 0, how: 'right', after: 0 })
    const back: [number, number][] = [
      [0, 400],
      [100, 300],
      [250, 150],
      [400, 0],
    ]
    for (const [refunded, left] of back) {
      order.at.refunded = refunded
      expect(await life.tell(order, 'new', 'charge.refunded')).toBe(200)
      expect(await shop.ledger.balance(life.userId)).toBe(ofCents(startCents + left))
    }
    expect((await shop.ledger.check()).findings).toEqual([])
  })
})
