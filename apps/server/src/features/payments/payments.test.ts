import { serverLimits } from '@parley/contract/limits/server'
import { uuidv7 } from '@parley/contract/uuid'
import { describe, expect, it } from 'vitest'
import { buildTestApp, databases, type TestApp } from '../../testing/build-test-app'
import { aBuyer, type OrderResponse, usePaymentProviders } from '../../testing/payment-shop'

const payment = '/api/billing/payment'

const providers = usePaymentProviders()
const { fromStripe, fromMercadoPago } = providers

describe.each(databases)('payments on %s', (kind) => {
  const aShop = () => providers.aShop({ kind })

  it('sells by card: its page first, the credits when Stripe says that it is paid [ST-002, ST-159, ST-174, CH-163]', async () => {
    const { app, ledger } = await aShop()
    const ana = await aBuyer(app)
    const { status, order } = await ana.buy(12.34, 'card')
    expect(status).toBe(201)
    expect(order).toMatchObject({
      amount: 12.34,
      status: 'pending',
      method: 'card',
      payment_url: expect.stringMatching(/^https:\/\/checkout\./),
    })
    const session = providers.stripe.sessions.at(-1)
    expect(session).toMatchObject({
      reference: order.id,
      cents: 1_234,
      currency: 'usd',
      successUrl: expect.stringContaining('/settings?tab=credits&success=true'),
    })
    // Coming back from the page proves nothing.
    expect(await ana.credits()).toBe(0)
    expect(
      (
        await fromStripe(
          app,
          'checkout.session.completed',
          providers.stripe.change(order.id, { status: 'complete', isPaid: true }),
        )
      ).status,
    ).toBe(200)
    expect(await ana.credits()).toBe(12.34)
    const after = (await ana.client.send('GET', `${payment}/${order.id}`)).body
    expect(after).toMatchObject({ status: 'completed', transaction_id: `pi_${session?.id}` })
    expect(after).not.toHaveProperty('payment_url')
    expect((await ledger.check()).findings).toEqual([])
  })

  it('sells by Pix, in reais, with a code to pay [ST-159, ST-174, ST-175]', async () => {
    const { app } = await aShop()
    const ana = await aBuyer(app)
    const { order } = await ana.buy(10, 'pix')
    expect(order).toMatchObject({
      status: 'pending',
      pix: {
        qr_code: expect.stringContaining('br.gov.bcb.pix'),
        tx_info: { currency: 'BRL', amount: '52.31', rate: '5.231' },
      },
    })
    expect(providers.pix.payments.at(-1)).toMatchObject({
      reference: order.id,
      amount: 52.31,
      email: 'ana@example.org',
    })
    const { id } = providers.pix.change(order.id, { status: 'approved' })
    expect((await fromMercadoPago(app, id)).status).toBe(200)
    expect(await ana.status(order.id)).toBe('completed')
    expect(await ana.credits()).toBe(10)
  })

  it('lists the person’s own payments, newest first, and nobody else’s [CH-161, ST-175]', async () => {
    const { app } = await aShop()
    const [ana, bob] = [await aBuyer(app), await aBuyer(app, 'bob@example.org')]
    const [first, second] = [await ana.buy(1, 'pix'), await ana.buy(2, 'card')]
    const listed = (await ana.client.send('GET', `${payment}/user`)).body as { data: OrderResponse[] }
    expect(listed.data.map(({ id }) => id)).toEqual([second.order.id, first.order.id])
    expect((await bob.client.send('GET', `${payment}/user`)).body).toEqual({ data: [] })
    for (const path of [
      `${payment}/${first.order.id}`,
      `${payment}/pix/check-status/${first.order.id}`,
      `${payment}/${uuidv7()}`,
    ])
      expect((await bob.client.send('GET', path)).status, path).toBe(404)
    const hash = `0x${'a'.repeat(64)}`
    expect((await bob.client.post(`${payment}/${first.order.id}/transaction`, { hash })).status).toBe(404)
    for (const path of [`${payment}/user`, `${payment}/${first.order.id}`])
      expect((await app.call(path)).status).toBe(401)
    expect(
      (
        await app.call(payment, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: '{"amount":5,"method":"pix"}',
        })
      ).status,
    ).toBe(401)
  })

  it('refuses amounts that are none, and asks no provider for them', async () => {
    const { app } = await aShop()
    const ana = await aBuyer(app)
    const before = [providers.stripe.sessions.length, providers.pix.payments.length]
    const refused: [string, string][] = [
      ['0', 'payment.minimum'],
      ['-5', 'payment.minimum'],
      ['0.99', 'payment.minimum'],
      ['1e-300', 'payment.minimum'],
      ['10000.01', 'payment.maximum'],
      ['1e300', 'payment.maximum'],
      ['5.001', 'payment.amount'],
      ['1e400', 'validation'],
      ['-1e400', 'validation'],
      ['NaN', 'validation'],
      ['"5"', 'validation'],
      ['"NaN"', 'validation'],
      ['null', 'validation'],
      ['{}', 'validation'],
    ]
    const authorization = `Bearer ${ana.client.tokens?.access_token}`
    for (const [amount, code] of refused)
      for (const method of ['card', 'pix']) {
        const body = `{"amount":${amount},"method":"${method}"}`
        const answer = await app.call(payment, {
          method: 'POST',
          headers: { 'content-type': 'application/json', authorization },
          body,
        })
        expect([amount, answer.status, ((await answer.json()) as { code: string }).code]).toEqual([amount, 400, code])
      }
    expect((await ana.buy(5, 'gold')).status).toBe(400)
    expect((await ana.buy(5, 'token')).body).toMatchObject({ code: 'payment.method-unavailable' })
    expect((await ana.client.send('GET', `${payment}/user`)).body).toEqual({ data: [] })
    expect([providers.stripe.sessions.length, providers.pix.payments.length]).toEqual(before)
    const spanish = await ana.client.post(payment, { amount: 0.5, method: 'pix' }, { 'accept-language': 'es' })
    expect(spanish.body).toMatchObject({ message: 'La compra mínima es de 1 US$.' })
  })

  it('starts one payment for one key, however often it is sent, and refuses the key for another', async () => {
    const { app } = await aShop()
    const [ana, bob] = [await aBuyer(app), await aBuyer(app, 'bob@example.org')]
    const before = providers.stripe.sessions.length
    const answers = await Promise.all(Array.from({ length: 8 }, () => ana.buy(7, 'card', 'click-1')))
    expect(new Set(answers.map(({ status, order }) => `${status} ${order.id} ${order.payment_url}`)).size).toBe(1)
    expect(providers.stripe.sessions.length).toBe(before + 1)
    for (const other of [await ana.buy(8, 'card', 'click-1'), await ana.buy(7, 'pix', 'click-1')])
      expect(other).toMatchObject({ status: 422, body: { code: 'payment.key-reused' } })
    expect((await bob.buy(7, 'card', 'click-1')).order.id).not.toBe(answers[0]?.order.id)
    expect((await ana.buy(7, 'card', 'x'.repeat(201))).status).toBe(400)
  })

  it('starts no more payments of somebody who has twenty open, but answers those, and starts others when one is paid', async () => {
    const { app } = await aShop()
    const [ana, bob] = [await aBuyer(app), await aBuyer(app, 'bob@example.org')]
    const all = Array.from({ length: serverLimits.payments.mostOpen }, (_, n) => `key-${n}`)
    const ids: string[] = []
    for (const key of all) ids.push((await ana.buy(5, 'pix', key)).order.id)
    for (const method of ['pix', 'card'])
      expect(await ana.buy(5, method, 'another')).toMatchObject({ status: 429, body: { code: 'rate-limited' } })
    expect((await ana.buy(5, 'pix', 'key-0')).order).toMatchObject({ id: ids[0], status: 'pending' })
    expect((await bob.buy(5, 'pix', 'another')).status).toBe(201)
    await fromMercadoPago(app, providers.pix.change(ids[0] ?? '', { status: 'approved' }).id)
    expect((await ana.buy(5, 'pix', 'another')).status).toBe(201)
    expect((await ana.buy(5, 'pix')).status).toBe(429)
  })

  it('says which method failed when the provider refuses, and keeps its secrets out of the log [ST-177]', async () => {
    const { app } = await aShop()
    const ana = await aBuyer(app)
    providers.stripe.failure = 402
    providers.pix.failure = 400
    const card = await ana.buy(5, 'card', 'k')
    expect(card).toMatchObject({
      status: 502,
      body: { code: 'payment.card-failed', message: 'Failed to process the card payment' },
    })
    expect((await ana.buy(5, 'pix')).body).toMatchObject({
      code: 'payment.pix-failed',
      message: 'Failed to process the Pix payment',
    })
    providers.stripe.failure = undefined
    expect((await ana.buy(5, 'card', 'k')).status).toBe(502)
    expect((await ana.buy(5, 'card', 'k2')).status).toBe(201)
    const { data } = (await ana.client.send('GET', `${payment}/user`)).body as { data: OrderResponse[] }
    expect(data.map(({ status }) => status)).toEqual(['pending', 'failed', 'failed'])
    for (const secret of [
      providers.stripe.secretKey,
      providers.stripe.webhookSecret,
      providers.pix.accessToken,
      providers.pix.webhookSecret,
    ])
      expect(app.logs()).not.toContain(secret)
  })

  it('tells which payment methods there are, and has no others', async () => {
    const { app } = await aShop()
    const offer = async (place: TestApp) =>
      ((await (await place.call('/api/config')).json()) as { payments: unknown }).payments
    expect(await offer(app)).toEqual({
      methods: ['pix', 'card'],
      minDollars: 1,
      maxDollars: 10_000,
      usdBrlRate: '5.231',
    })
    const none = await buildTestApp({ kind, keepTables: true })
    expect(await offer(none)).toEqual({ methods: [], minDollars: 1, maxDollars: 10_000 })
    const ana = await aBuyer(none)
    for (const method of ['pix', 'card', 'token'])
      expect((await ana.buy(5, method)).body).toMatchObject({ status: 400, code: 'payment.method-unavailable' })
    expect((await none.call('/api/billing/webhooks/stripe', { method: 'POST', body: '{}' })).status).toBe(404)
    expect((await none.call('/api/billing/webhooks/mercadopago', { method: 'POST', body: '{}' })).status).toBe(404)
  })
})
