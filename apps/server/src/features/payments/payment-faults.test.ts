import { serverLimits } from '@parley/contract/limits/server'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { databases } from '../../testing/build-test-app'
import { ofCents } from '../../testing/ledger-people'
import { type PaymentProviders, startPaymentProviders } from '../../testing/payment-providers'
import { aPerson } from '../../testing/person'
import { isDeep, runsOf, seeded } from '../../testing/seeded'
import { SimulatedBuyer, startCents } from '../../testing/simulated-buyer'
import { refundOrder } from '../../testing/simulated-order'
import { aSimulatedShop, sweepAll } from '../../testing/simulated-shop'

let providers: PaymentProviders
beforeAll(async () => {
  providers = await startPaymentProviders()
})
afterAll(() => providers.close())
beforeEach(() => {
  providers.proxies.card.mend()
  providers.proxies.pix.mend()
})

describe.each(databases)(
  'payments and everything that goes wrong, on %s',
  { timeout: isDeep ? 180_000 : 60_000 },
  (kind) => {
    const aShop = () => aSimulatedShop({ kind, providers })

    it('ends the same whatever the order of its notices, and whether they come after each step or long after', async () => {
      const shop = await aShop()
      const { app, ledger } = shop
      const stranger = await aPerson(app, 'stranger@example.org')
      const Purchase = fc.record({
        method: fc.constantFrom('card' as const, 'pix' as const),
        dollars: fc.integer({ min: 1, max: 12 }),
        how: fc.constantFrom('right' as const, 'right' as const, 'right' as const, 'less' as const, 'moved' as const),
        isPaid: fc.boolean(),
        isRefunded: fc.boolean(),
      })
      type Purchases = (typeof Purchase extends fc.Arbitrary<infer P> ? P : never)[]
      const types = ['checkout.session.completed', 'charge.refunded', 'checkout.session.expired']
      const seen = new Map<string, number>()
      const property = fc.asyncProperty(
        fc.array(Purchase, { minLength: 2, maxLength: 6 }),
        fc.infiniteStream(fc.nat()),
        async (purchases, order) => {
          const shuffled = <T>(list: readonly T[]): T[] =>
            list
              .map((one) => ({ one, at: order.next().value }))
              .sort((a, b) => a.at - b.at)
              .map(({ one }) => one)
          const buyers: SimulatedBuyer[] = []
          for (let n = 0; n < 3; n++) {
            const buyer = await SimulatedBuyer.create(shop, stranger)
            buyers.push(buyer)
            for (const { method, dollars: amount } of purchases)
              await buyer.runStep({ kind: 'start', method, dollars: amount, key: null })
            const notify = async (which: number, type: string | undefined): Promise<void> => {
              const one = buyer.orders[which]
              if (one) expect(await buyer.sendWebhook(one, 'new', type)).toBe(200)
            }
            for (const [which, purchase] of purchases.entries()) {
              if (purchase.isPaid) await buyer.runStep({ kind: 'pay', which, how: purchase.how, after: 0 })
              if (n === 0) await notify(which, types[0])
              if (purchase.isPaid && purchase.isRefunded)
                await buyer.runStep({ kind: 'refund', which, how: 'whole', tenths: 10, after: 0 })
              if (n === 0) await notify(which, types[1])
            }
            const late = shuffled(purchases.flatMap((_, which) => types.map((type) => ({ which, type }))))
            for (let next = 0; next < late.length; next += 3)
              await Promise.all(late.slice(next, next + 3).map(({ which, type }) => notify(which, type)))
          }
          const ends = await Promise.all(
            buyers.map(async (buyer) => {
              const found = await buyer.statuses()
              return {
                balance: String(await ledger.balance(buyer.userId)),
                statuses: buyer.orders.map(({ id }) => found.get(id)),
              }
            }),
          )
          for (const end of ends) expect(end).toEqual(ends[0])
          for (const status of ends[0]?.statuses ?? []) seen.set(status ?? '', (seen.get(status ?? '') ?? 0) + 1)
        },
      )
      const each = { dollars: 3, how: 'right' as const }
      const [method, other] = ['card', 'pix'] as const
      // One that stays open, one that is paid and one that goes back.
      const directed: [Purchases, fc.Stream<number>] = [
        [
          { ...each, method, isPaid: false, isRefunded: false },
          { ...each, method: other, isPaid: true, isRefunded: false },
          { ...each, method, isPaid: true, isRefunded: true },
        ],
        fc.stream(Array.from({ length: 100 }, (_, n) => (n * 7) % 11).values()),
      ]
      await seeded((seed) =>
        fc.assert(property, { seed, examples: [directed], numRuns: 1 + runsOf(12), endOnFailure: true }),
      )
      for (const status of ['pending', 'completed', 'refunded'])
        expect(seen.get(status) ?? 0, status).toBeGreaterThan(0)
      expect((await ledger.check()).findings).toEqual([])
    })

    it('does not give again what was given back while an older answer of the provider was on its way', async () => {
      const shop = await aShop()
      const { app, ledger } = shop
      const buyer = await SimulatedBuyer.create(shop, await aPerson(app, 'stranger@example.org'))
      for (const method of ['card', 'pix'] as const)
        for (const isGranted of [false, true]) {
          await buyer.runStep({ kind: 'start', method, dollars: 5, key: null })
          const which = buyer.orders.length - 1
          const order = buyer.orders[which]
          if (!order) throw new Error('no order')
          await buyer.runStep({ kind: 'pay', which, how: 'right', after: 0 })
          if (isGranted) expect(await buyer.sendWebhook(order)).toBe(200)
          const proxy = providers.proxies[method]
          let release: (() => void) | undefined
          const isHeld = new Promise<void>((held) => {
            proxy.after = () => {
              proxy.mend()
              held()
              return new Promise((resolve) => {
                release = () => resolve(undefined)
              })
            }
          })
          const outdated = buyer.sendWebhook(order)
          await isHeld
          refundOrder(order)
          expect(await buyer.sendWebhook(order, 'new', 'charge.refunded')).toBe(200)
          release?.()
          expect(await outdated).toBe(200)
          expect((await buyer.statuses()).get(order.id), `${method} ${isGranted}`).toBe('refunded')
          expect(await ledger.balance(buyer.userId)).toBe(ofCents(startCents))
        }
      expect((await ledger.check()).findings).toEqual([])
    })

    /** Delays the next calls to a provider until `release`, and counts them. */
    function delayCalls(proxy: PaymentProviders['proxies']['card']) {
      let release = (): void => undefined
      const isReleased = new Promise<undefined>((resolve) => {
        release = () => resolve(undefined)
      })
      const delayed = { calls: 0, release: () => release(), isCalled: Promise.resolve() }
      delayed.isCalled = new Promise((resolve) => {
        proxy.before = () => {
          delayed.calls++
          resolve()
          return isReleased
        }
      })
      return delayed
    }

    it.each(['card', 'pix'] as const)(
      'makes one call for a purchase by %s that is sent again and again while the provider is slow, on whichever node',
      async (method) => {
        let calls = 0
        const shop = await aSimulatedShop({ kind, providers, pick: () => calls++ })
        const buyer = await SimulatedBuyer.create(shop, await aPerson(shop.anyNode, 'stranger@example.org', null))
        const delayed = delayCalls(providers.proxies[method])
        const buy = () =>
          buyer.client.post('/api/billing/payment', { amount: 5, method }, { 'idempotency-key': 'one-click' })
        const first = buy()
        await delayed.isCalled
        const others = Array.from({ length: 11 }, buy)
        expect((await buyer.client.send('GET', '/api/billing/payment/user')).body).toMatchObject({
          data: [{ status: 'pending' }],
        })
        delayed.release()
        const answers = await Promise.all([first, ...others])
        expect(new Set(answers.map(({ status, body }) => `${status} ${(body as { id?: string }).id}`)).size).toBe(1)
        expect([answers[0]?.status, delayed.calls]).toEqual([201, 1])
      },
    )

    it.each([
      ['card', 409, false],
      ['card', 503, true],
      ['pix', 409, true],
      ['pix', 504, false],
      ['pix', 408, true],
    ] as const)(
      'goes on with a purchase by %s whose start was answered with %i (done: %s): it is the same one, and can be paid',
      async (method, status, isDone) => {
        const shop = await aShop()
        const buyer = await SimulatedBuyer.create(shop, await aPerson(shop.app, 'stranger@example.org'))
        const proxy = providers.proxies[method]
        const buy = () =>
          buyer.client.post('/api/billing/payment', { amount: 5, method }, { 'idempotency-key': 'one-click' })
        proxy[isDone ? 'after' : 'before'] = () => status
        expect(await buy()).toMatchObject({ status: 502, body: { code: 'payment.unclear' } })
        const [[id, state] = []] = await buyer.statuses()
        expect(state).toBe('pending')
        proxy.mend()
        const again = await buy()
        expect(again).toMatchObject({ status: 201, body: { id } })
        expect(again.body).toHaveProperty(method === 'card' ? 'payment_url' : 'pix')
        await buyer.runStep({ kind: 'sweep' })
        expect(buyer.orders.map((order) => order.id)).toEqual([id])
      },
    )

    it('asks by itself for the start that nobody answered, so that it stands in the list with its page', async () => {
      const shop = await aShop()
      const buyer = await SimulatedBuyer.create(shop, await aPerson(shop.app, 'stranger@example.org'))
      providers.proxies.card.after = () => 408
      await buyer.runStep({ kind: 'start', method: 'card', dollars: 5, key: null })
      providers.proxies.card.mend()
      await buyer.advance(2 * serverLimits.payments.askAgainMs)
      await shop.sweep()
      const { body } = await buyer.client.send('GET', '/api/billing/payment/user')
      expect(body).toMatchObject({ data: [{ status: 'pending', payment_url: expect.stringMatching(/^https:/) }] })
      expect(buyer.orders).toHaveLength(1)
    })

    it('keeps a payment open that it could not ask for, whatever came in place of the provider’s answer', async () => {
      const shop = await aShop()
      const buyer = await SimulatedBuyer.create(shop, await aPerson(shop.app, 'stranger@example.org'))
      for (const method of ['card', 'pix'] as const)
        await buyer.runStep({ kind: 'start', method, dollars: 5, key: null })
      for (const which of [0, 1]) await buyer.runStep({ kind: 'pay', which, how: 'right', after: 0 })
      for (const proxy of [providers.proxies.card, providers.proxies.pix]) proxy.before = () => 429
      await buyer.advance(25 * 3_600_000)
      await shop.sweep()
      expect([...(await buyer.statuses()).values()]).toEqual(['pending', 'pending'])
      for (const proxy of [providers.proxies.card, providers.proxies.pix]) proxy.mend()
      await sweepAll(shop, buyer)
      expect([...(await buyer.statuses()).values()]).toEqual(['completed', 'completed'])
    })

    it('takes back part by part what was paid on a page that the server never heard of', async () => {
      const shop = await aShop()
      const buyer = await SimulatedBuyer.create(shop, await aPerson(shop.app, 'stranger@example.org'))
      providers.proxies.card.after = () => 429
      await buyer.runStep({ kind: 'start', method: 'card', dollars: 4, key: null })
      providers.proxies.card.mend()
      const [order] = buyer.orders
      if (order?.method !== 'card') throw new Error('no order')
      await buyer.runStep({ kind: 'pay', which: 0, how: 'right', after: 0 })
      const back: [number, number][] = [
        [0, 400],
        [100, 300],
        [250, 150],
        [400, 0],
      ]
      for (const [refunded, left] of back) {
        order.at.refunded = refunded
        expect(await buyer.sendWebhook(order, 'new', 'charge.refunded')).toBe(200)
        expect(await shop.ledger.balance(buyer.userId)).toBe(ofCents(startCents + left))
      }
      expect((await shop.ledger.check()).findings).toEqual([])
    })
  },
)
