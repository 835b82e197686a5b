import { describe, expect, it } from 'vitest'
import { databases } from '../../testing/build-test-app'
import { aBuyer, usePaymentProviders } from '../../testing/payment-shop'

const minute = 60_000

const providers = usePaymentProviders()
const { fromStripe, fromMercadoPago } = providers

describe.each(databases)('webhooks of payment providers on %s', (kind) => {
  const aShop = () => providers.aShop({ kind })

  it('believes no notification that the provider did not sign: forged, altered, late or for another address', async () => {
    const { app } = await aShop()
    const ana = await aBuyer(app)
    const [card, qr] = [await ana.buy(5, 'card'), await ana.buy(5, 'pix')]
    const session = providers.stripe.change(card.order.id, { status: 'complete', isPaid: true })
    const { id } = providers.pix.change(qr.order.id, { status: 'approved' })
    const post = (path: string, body: string, headers: Record<string, string>) =>
      app.call(path, { method: 'POST', body, headers })
    const good = providers.stripe.event('checkout.session.completed', session)
    const type = 'checkout.session.completed'
    const hour = 60 * minute
    const refused = [
      await fromStripe(app, type, session, { secret: 'whsec_of_somebody_else' }),
      await fromStripe(app, type, session, { at: Date.now() - hour }),
      await fromStripe(app, type, session, { at: Date.now() + hour }),
      await fromStripe(app, type, session, { at: Number.NaN }),
      await fromStripe(app, type, session, { at: Number.POSITIVE_INFINITY }),
      await post('/api/billing/webhooks/stripe', good.body.replace('paid', 'PAID'), good.headers),
      await post('/api/billing/webhooks/stripe', good.body, { 'content-type': 'application/json' }),
      await post('/api/billing/webhooks/stripe', '', good.headers),
      await fromMercadoPago(app, id, { secret: 'another' }),
      await fromMercadoPago(app, id, { at: Date.now() - 6 * 24 * hour }),
      await fromMercadoPago(app, id, { at: Date.now() + hour }),
      await fromMercadoPago(app, id, { at: Number.NaN }),
      await post(
        `/api/billing/webhooks/mercadopago?data.id=${id + 1}&type=payment`,
        '{}',
        providers.pix.notification(id).headers,
      ),
      await post(`/api/billing/webhooks/mercadopago?data.id=${id}`, '{}', {
        'x-request-id': 'a',
        'x-signature': 'ts=1,v1=zz',
      }),
      await post(
        '/api/billing/webhooks/mercadopago',
        providers.pix.notification(id).body,
        providers.pix.notification(id).headers,
      ),
    ]
    for (const answer of refused)
      expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([
        400,
        'payment.webhook-refused',
      ])
    expect(await ana.credits()).toBe(0)
    expect(app.logs().match(/refused a notification/g)).toHaveLength(refused.length)
    expect(app.logs()).not.toContain(session.id)
    expect((await post('/api/billing/webhooks/stripe', good.body, good.headers)).status).toBe(200)
    expect((await fromMercadoPago(app, id)).status).toBe(200)
    expect(await ana.credits()).toBe(10)
  })

  it('grants once for notifications that come twice, together, replayed and in the wrong order', async () => {
    const { app, ledger } = await aShop()
    const ana = await aBuyer(app)
    const [card, qr] = [await ana.buy(5, 'card'), await ana.buy(20, 'pix')]
    const session = providers.stripe.change(card.order.id, { status: 'complete', isPaid: true })
    const { id } = providers.pix.change(qr.order.id, { status: 'approved' })
    const done = 'checkout.session.completed'
    const answers = await Promise.all([
      ...Array.from({ length: 10 }, () => fromStripe(app, done, session, { id: 'evt_same' })),
      ...Array.from({ length: 10 }, () => fromStripe(app, done, session)),
      ...Array.from({ length: 10 }, () => fromMercadoPago(app, id)),
      fromStripe(app, 'checkout.session.expired', session),
    ])
    expect(answers.map(({ status }) => status).filter((status) => status !== 200)).toEqual([])
    expect(await ana.credits()).toBe(25)
    const asked = providers.stripe.calls
    expect((await fromStripe(app, done, session, { id: 'evt_same' })).status).toBe(200)
    expect(providers.stripe.calls).toBe(asked)
    // A message of its past does not take it back.
    providers.pix.change(qr.order.id, { status: 'pending' })
    await fromMercadoPago(app, id)
    expect([await ana.status(card.order.id), await ana.status(qr.order.id)]).toEqual(['completed', 'completed'])
    expect(await ana.credits()).toBe(25)
    expect((await ledger.check()).findings).toEqual([])
  })

  it('grants nothing for another amount, another currency or another order, and says so in the log', async () => {
    const { app } = await aShop()
    const ana = await aBuyer(app)
    const [less, foreign, reais, moved] = [
      await ana.buy(50, 'card'),
      await ana.buy(5, 'card'),
      await ana.buy(5, 'pix'),
      await ana.buy(9, 'card'),
    ]
    const paid = { status: 'complete', isPaid: true } as const
    await fromStripe(app, 'checkout.session.completed', providers.stripe.change(less.order.id, { ...paid, cents: 100 }))
    await fromStripe(
      app,
      'checkout.session.completed',
      providers.stripe.change(foreign.order.id, { ...paid, currency: 'brl' }),
    )
    await fromMercadoPago(app, providers.pix.change(reais.order.id, { status: 'approved', amount: 5 }).id)
    // A session of another order that claims to be this one.
    await fromStripe(
      app,
      'checkout.session.completed',
      providers.stripe.change(moved.order.id, { ...paid, reference: less.order.id }),
    )
    await fromStripe(
      app,
      'checkout.session.completed',
      providers.stripe.change(less.order.id, { reference: 'no order of ours' }),
    )
    expect(await ana.credits()).toBe(0)
    for (const { order } of [less, foreign, reais, moved]) expect(await ana.status(order.id)).toBe('pending')
    expect(app.logs().match(/nothing is granted/g)?.length).toBeGreaterThanOrEqual(4)
  })

  it('has a provider call again when it could not be asked back, and grants then', async () => {
    const { app } = await aShop()
    const ana = await aBuyer(app)
    const { order } = await ana.buy(5, 'card')
    const session = providers.stripe.change(order.id, { status: 'complete', isPaid: true })
    providers.stripe.failure = 503
    expect((await fromStripe(app, 'checkout.session.completed', session, { id: 'evt_1' })).status).toBe(503)
    expect(await ana.credits()).toBe(0)
    providers.stripe.failure = undefined
    expect((await fromStripe(app, 'checkout.session.completed', session, { id: 'evt_1' })).status).toBe(200)
    expect(await ana.credits()).toBe(5)
    // What is not ours is heard and left alone.
    expect((await fromMercadoPago(app, '123456')).status).toBe(200)
    expect((await fromMercadoPago(app, 'abc', { type: 'plan' })).status).toBe(200)
    expect((await fromStripe(app, 'customer.created', session)).status).toBe(200)
  })
})
