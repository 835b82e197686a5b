import { limits } from '@parley/contract/limits'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { databases } from '../../testing/build-test-app'
import { ofCents, PaymentLife, startCents } from '../../testing/payment-life'
import { giveBack } from '../../testing/payment-orders'
import { type PaymentProviders, startPaymentProviders } from '../../testing/payment-providers'
import { aPerson } from '../../testing/person'
import { aRandomShop, statusesOf, sweepAll } from '../../testing/random-shop'
import { isDeep, runsOf, seeded } from '../../testing/seeded'

let providers: PaymentProviders
beforeAll(async () => {
  providers = await startPaymentProviders()
})
afterAll(() => providers.close())
beforeEach(() => {
  providers.ways.card.mend()
  providers.ways.pix.mend()
})

describe.each(databases)('payments and everything that goes wrong, on %s', { timeout: isDeep ? 180_000 : 60_000 }, (kind) => {
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
    type Purchases = (typeof Purchase extends fc.Arbitrary<infer P> ? P : never)[]
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
    const each = { dollars: 3, how: 'right' as const }
    const [method, other] = ['card', 'pix'] as const
    // One that stays open, one that is paid and one that goes back.
    const directed: [Purchases, fc.Stream<number>] = [
      [
        { ...each, method, isPaid: false, isReturned: false },
        { ...each, method: other, isPaid: true, isReturned: false },
        { ...each, method, isPaid: true, isReturned: true },
      ],
      fc.stream(Array.from({ length: 100 }, (_, n) => (n * 7) % 11).values()),
    ]
    await seeded((seed) => fc.assert(property, { seed, examples: [directed], numRuns: 1 + runsOf(12), endOnFailure: true }))
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

  /** The next calls to a provider are held up until `letGo`, and counted. */
  function holdUp(way: PaymentProviders['ways']['card']) {
    let letGo = (): void => undefined
    const isLetGo = new Promise<undefined>((resolve) => {
      letGo = () => resolve(undefined)
    })
    const held = { calls: 0, letGo: () => letGo(), isCalled: Promise.resolve() }
    held.isCalled = new Promise((resolve) => {
      way.before = () => {
        held.calls++
        resolve()
        return isLetGo
      }
    })
    return held
  }

  it.each(['card', 'pix'] as const)(
    'makes one call for a purchase by %s that is sent again and again while the provider is slow, on whichever node',
    async (method) => {
      let calls = 0
      const shop = await aRandomShop({ kind, providers, pick: () => calls++ })
      const life = await PaymentLife.begin(shop, await aPerson(shop.place, 'stranger@example.org', null))
      const held = holdUp(providers.ways[method])
      const buy = () => life.buyer.post('/api/billing/payment', { amount: 5, method }, { 'idempotency-key': 'one-click' })
      const first = buy()
      await held.isCalled
      const others = Array.from({ length: 11 }, buy)
      expect((await life.buyer.send('GET', '/api/billing/payment/user')).body).toMatchObject({ data: [{ status: 'pending' }] })
      held.letGo()
      const answers = await Promise.all([first, ...others])
      expect(new Set(answers.map(({ status, body }) => `${status} ${(body as { id?: string }).id}`)).size).toBe(1)
      expect([answers[0]?.status, held.calls]).toEqual([201, 1])
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
      const life = await PaymentLife.begin(shop, await aPerson(shop.app, 'stranger@example.org'))
      const way = providers.ways[method]
      const buy = () => life.buyer.post('/api/billing/payment', { amount: 5, method }, { 'idempotency-key': 'one-click' })
      way[isDone ? 'after' : 'before'] = () => status
      expect(await buy()).toMatchObject({ status: 502, body: { code: 'payment.unclear' } })
      const [[id, state] = []] = await statusesOf(life)
      expect(state).toBe('pending')
      way.mend()
      const again = await buy()
      expect(again).toMatchObject({ status: 201, body: { id } })
      expect(again.body).toHaveProperty(method === 'card' ? 'payment_url' : 'pix')
      await life.make({ kind: 'sweep' })
      expect(life.orders.map((order) => order.id)).toEqual([id])
    },
  )

  it('asks by itself for the start that nobody answered, so that it stands in the list with its page', async () => {
    const shop = await aShop()
    const life = await PaymentLife.begin(shop, await aPerson(shop.app, 'stranger@example.org'))
    providers.ways.card.after = () => 408
    await life.make({ kind: 'start', method: 'card', dollars: 5, key: null })
    providers.ways.card.mend()
    await life.later(2 * limits.payments.askAgainMs)
    await shop.sweep()
    const { body } = await life.buyer.send('GET', '/api/billing/payment/user')
    expect(body).toMatchObject({ data: [{ status: 'pending', payment_url: expect.stringMatching(/^https:/) }] })
    expect(life.orders).toHaveLength(1)
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
