import { limits } from '@parley/contract/limits'
import { uuidv7 } from '@parley/contract/uuid'
import { sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { buildTestApp, databases, type TestApp } from '../../testing/build-test-app'
import { aBuyer, type Sold, usePaymentProviders } from '../../testing/payment-shop'
import { Client } from '../../testing/person'

const payment = '/api/billing/payment'
const minute = 60_000

const providers = usePaymentProviders()
const { fromStripe, fromMercadoPago } = providers

describe.each(databases)('payments on %s', (kind) => {
  async function aShop(more: { now?: () => number; env?: Record<string, string>; keepTables?: boolean } = {}) {
    const { payments, ...shop } = await providers.aShop({ kind, ...more })
    /** What every node does by itself every few seconds. */
    return { ...shop, sweep: () => payments.sweep() }
  }

  it('sells by card: its page first, the credits when Stripe says that it is paid [ST-159, ST-174, CH-163]', async () => {
    const { app, ledger } = await aShop()
    const ana = await aBuyer(app)
    const { status, sold } = await ana.buy(12.34, 'card')
    expect(status).toBe(201)
    expect(sold).toMatchObject({ amount: 12.34, status: 'pending', method: 'card', payment_url: expect.stringMatching(/^https:\/\/checkout\./) })
    const session = providers.stripe.sessions.at(-1)
    expect(session).toMatchObject({
      reference: sold.id,
      cents: 1_234,
      currency: 'usd',
      successUrl: expect.stringContaining('/settings?tab=credits&success=true'),
    })
    // Coming back from the page proves nothing.
    expect(await ana.credits()).toBe(0)
    expect((await fromStripe(app, 'checkout.session.completed', providers.stripe.change(sold.id, { status: 'complete', isPaid: true }))).status).toBe(200)
    expect(await ana.credits()).toBe(12.34)
    const after = (await ana.client.send('GET', `${payment}/${sold.id}`)).body
    expect(after).toMatchObject({ status: 'completed', transaction_id: `pi_${session?.id}` })
    expect(after).not.toHaveProperty('payment_url')
    expect((await ledger.check()).findings).toEqual([])
  })

  it('sells by Pix, in reais, with a code to pay [ST-159, ST-174, ST-175]', async () => {
    const { app } = await aShop()
    const ana = await aBuyer(app)
    const { sold } = await ana.buy(10, 'pix')
    expect(sold).toMatchObject({
      status: 'pending',
      pix: { qr_code: expect.stringContaining('br.gov.bcb.pix'), tx_info: { currency: 'BRL', amount: '52.31', rate: '5.231' } },
    })
    expect(providers.pix.payments.at(-1)).toMatchObject({ reference: sold.id, amount: 52.31, email: 'ana@example.org' })
    const { id } = providers.pix.change(sold.id, { status: 'approved' })
    expect((await fromMercadoPago(app, id)).status).toBe(200)
    expect(await ana.status(sold.id)).toBe('completed')
    expect(await ana.credits()).toBe(10)
  })

  it('asks the provider when the person checks a Pix payment [ST-176]', async () => {
    let now = Date.now()
    const { app } = await aShop({ now: () => now })
    const ana = await aBuyer(app)
    const { sold } = await ana.buy(5, 'pix')
    const check = async () => {
      now += limits.payments.checkEveryMs
      return ana.client.send('GET', `${payment}/pix/check-status/${sold.id}`)
    }
    expect((await check()).body).toMatchObject({ status: 'pending' })
    providers.pix.failure = 500
    expect(await check()).toMatchObject({ status: 502, body: { code: 'payment.pix-failed', message: 'Failed to process the Pix payment' } })
    providers.pix.failure = undefined
    providers.pix.change(sold.id, { status: 'approved' })
    expect((await check()).body).toMatchObject({ status: 'completed' })
    expect((await check()).body).toMatchObject({ status: 'completed' })
    expect(await ana.credits()).toBe(5)
    const card = await ana.buy(5, 'card')
    expect((await ana.client.send('GET', `${payment}/pix/check-status/${card.sold.id}`)).status).toBe(404)
  })

  it('asks a provider once for what is checked again and again, on two nodes, and tells what is known meanwhile', async () => {
    let now = Date.now()
    const options = { now: () => now, env: { AUTH_SECRET: 'a secret of both nodes, of 32 characters or more' } }
    const { app } = await aShop(options)
    const { app: second } = await aShop({ ...options, keepTables: true })
    const ana = await aBuyer(app)
    const { sold } = await ana.buy(5, 'pix')
    const elsewhere = new Client(second, null)
    elsewhere.tokens = ana.client.tokens
    providers.pix.change(sold.id, { status: 'approved' })
    now += limits.payments.checkEveryMs
    const before = providers.pix.calls
    const path = `${payment}/pix/check-status/${sold.id}`
    const answers = await Promise.all(Array.from({ length: 25 }, (_, n) => (n % 2 === 0 ? ana.client : elsewhere).send('GET', path)))
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    expect(providers.pix.calls - before).toBe(1)
    expect(await ana.credits()).toBe(5)
  })

  it('lists the person’s own payments, newest first, and nobody else’s [CH-161, ST-175]', async () => {
    const { app } = await aShop()
    const [ana, bob] = [await aBuyer(app), await aBuyer(app, 'bob@example.org')]
    const [first, second] = [await ana.buy(1, 'pix'), await ana.buy(2, 'card')]
    const listed = (await ana.client.send('GET', `${payment}/user`)).body as { data: Sold[] }
    expect(listed.data.map(({ id }) => id)).toEqual([second.sold.id, first.sold.id])
    expect((await bob.client.send('GET', `${payment}/user`)).body).toEqual({ data: [] })
    for (const path of [`${payment}/${first.sold.id}`, `${payment}/pix/check-status/${first.sold.id}`, `${payment}/${uuidv7()}`])
      expect((await bob.client.send('GET', path)).status, path).toBe(404)
    const hash = `0x${'a'.repeat(64)}`
    expect((await bob.client.post(`${payment}/${first.sold.id}/transaction`, { hash })).status).toBe(404)
    for (const path of [`${payment}/user`, `${payment}/${first.sold.id}`]) expect((await app.call(path)).status).toBe(401)
    expect((await app.call(payment, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"amount":5,"method":"pix"}' })).status).toBe(401)
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
        const answer = await app.call(payment, { method: 'POST', headers: { 'content-type': 'application/json', authorization }, body })
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
    expect(new Set(answers.map(({ status, sold }) => `${status} ${sold.id} ${sold.payment_url}`)).size).toBe(1)
    expect(providers.stripe.sessions.length).toBe(before + 1)
    for (const other of [await ana.buy(8, 'card', 'click-1'), await ana.buy(7, 'pix', 'click-1')])
      expect(other).toMatchObject({ status: 422, body: { code: 'payment.key-reused' } })
    expect((await bob.buy(7, 'card', 'click-1')).sold.id).not.toBe(answers[0]?.sold.id)
    expect((await ana.buy(7, 'card', 'x'.repeat(201))).status).toBe(400)
  })

  it('starts no more payments of somebody who has twenty open, but answers those, and starts others when one is paid', async () => {
    const { app } = await aShop()
    const [ana, bob] = [await aBuyer(app), await aBuyer(app, 'bob@example.org')]
    const all = Array.from({ length: limits.payments.mostOpen }, (_, n) => `key-${n}`)
    const ids: string[] = []
    for (const key of all) ids.push((await ana.buy(5, 'pix', key)).sold.id)
    for (const method of ['pix', 'card']) expect(await ana.buy(5, method, 'another')).toMatchObject({ status: 429, body: { code: 'rate-limited' } })
    expect((await ana.buy(5, 'pix', 'key-0')).sold).toMatchObject({ id: ids[0], status: 'pending' })
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
    expect(card).toMatchObject({ status: 502, body: { code: 'payment.card-failed', message: 'Failed to process the card payment' } })
    expect((await ana.buy(5, 'pix')).body).toMatchObject({ code: 'payment.pix-failed', message: 'Failed to process the Pix payment' })
    providers.stripe.failure = undefined
    expect((await ana.buy(5, 'card', 'k')).status).toBe(502)
    expect((await ana.buy(5, 'card', 'k2')).status).toBe(201)
    const { data } = (await ana.client.send('GET', `${payment}/user`)).body as { data: Sold[] }
    expect(data.map(({ status }) => status)).toEqual(['pending', 'failed', 'failed'])
    for (const secret of [providers.stripe.secretKey, providers.stripe.webhookSecret, providers.pix.accessToken, providers.pix.webhookSecret])
      expect(app.logs()).not.toContain(secret)
  })

  it('believes no notification that the provider did not sign: forged, altered, late or for another address', async () => {
    const { app } = await aShop()
    const ana = await aBuyer(app)
    const [card, qr] = [await ana.buy(5, 'card'), await ana.buy(5, 'pix')]
    const session = providers.stripe.change(card.sold.id, { status: 'complete', isPaid: true })
    const { id } = providers.pix.change(qr.sold.id, { status: 'approved' })
    const post = (path: string, body: string, headers: Record<string, string>) => app.call(path, { method: 'POST', body, headers })
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
      await post(`/api/billing/webhooks/mercadopago?data.id=${id + 1}&type=payment`, '{}', providers.pix.notification(id).headers),
      await post(`/api/billing/webhooks/mercadopago?data.id=${id}`, '{}', { 'x-request-id': 'a', 'x-signature': 'ts=1,v1=zz' }),
      await post('/api/billing/webhooks/mercadopago', providers.pix.notification(id).body, providers.pix.notification(id).headers),
    ]
    for (const answer of refused) expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([400, 'payment.webhook-refused'])
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
    const session = providers.stripe.change(card.sold.id, { status: 'complete', isPaid: true })
    const { id } = providers.pix.change(qr.sold.id, { status: 'approved' })
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
    providers.pix.change(qr.sold.id, { status: 'pending' })
    await fromMercadoPago(app, id)
    expect([await ana.status(card.sold.id), await ana.status(qr.sold.id)]).toEqual(['completed', 'completed'])
    expect(await ana.credits()).toBe(25)
    expect((await ledger.check()).findings).toEqual([])
  })

  it('grants nothing for another amount, another currency or another order, and says so in the log', async () => {
    const { app } = await aShop()
    const ana = await aBuyer(app)
    const [less, foreign, reais, moved] = [await ana.buy(50, 'card'), await ana.buy(5, 'card'), await ana.buy(5, 'pix'), await ana.buy(9, 'card')]
    const paid = { status: 'complete', isPaid: true } as const
    await fromStripe(app, 'checkout.session.completed', providers.stripe.change(less.sold.id, { ...paid, cents: 100 }))
    await fromStripe(app, 'checkout.session.completed', providers.stripe.change(foreign.sold.id, { ...paid, currency: 'brl' }))
    await fromMercadoPago(app, providers.pix.change(reais.sold.id, { status: 'approved', amount: 5 }).id)
    // A session of another order that claims to be this one.
    await fromStripe(app, 'checkout.session.completed', providers.stripe.change(moved.sold.id, { ...paid, reference: less.sold.id }))
    await fromStripe(app, 'checkout.session.completed', providers.stripe.change(less.sold.id, { reference: 'no order of ours' }))
    expect(await ana.credits()).toBe(0)
    for (const { sold } of [less, foreign, reais, moved]) expect(await ana.status(sold.id)).toBe('pending')
    expect(app.logs().match(/nothing is granted/g)?.length).toBeGreaterThanOrEqual(4)
  })

  it('has a provider call again when it could not be asked back, and grants then', async () => {
    const { app } = await aShop()
    const ana = await aBuyer(app)
    const { sold } = await ana.buy(5, 'card')
    const session = providers.stripe.change(sold.id, { status: 'complete', isPaid: true })
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

  it('ends what nobody pays after 30 minutes and 24 hours, and still grants what was paid in time', async () => {
    let now = Date.now()
    const { app, sweep } = await aShop({ now: () => now })
    const ana = await aBuyer(app)
    const [qr, late, card] = [await ana.buy(5, 'pix'), await ana.buy(6, 'pix'), await ana.buy(7, 'card')]
    const later = async (ms: number) => {
      now += ms
      await sweep()
      await ana.client.login('ana@example.org')
    }
    await later(29 * minute)
    expect(await ana.status(qr.sold.id)).toBe('pending')
    await later(2 * minute)
    expect([await ana.status(qr.sold.id), await ana.status(late.sold.id), await ana.status(card.sold.id)]).toEqual(['expired', 'expired', 'pending'])
    // The bank took its time, but the money is here.
    await fromMercadoPago(app, providers.pix.change(late.sold.id, { status: 'approved' }).id)
    expect([await ana.status(late.sold.id), await ana.credits()]).toEqual(['completed', 6])
    await later(24 * 60 * minute)
    expect(await ana.status(card.sold.id)).toBe('expired')
  })

  it('finds out by itself what a lost notification did not tell, and keeps open what it cannot ask for', async () => {
    let now = Date.now()
    const { app, sweep } = await aShop({ now: () => now })
    const ana = await aBuyer(app)
    const [qr, card, refused] = [await ana.buy(5, 'pix'), await ana.buy(7, 'card'), await ana.buy(9, 'pix')]
    providers.pix.change(qr.sold.id, { status: 'approved' })
    providers.pix.change(refused.sold.id, { status: 'cancelled', detail: 'by_collector' })
    providers.stripe.change(card.sold.id, { status: 'complete', isPaid: true })
    providers.stripe.failure = 500
    now += 2 * limits.payments.askAgainMs
    await sweep()
    expect([await ana.credits(), await ana.status(refused.sold.id)]).toEqual([5, 'failed'])
    now += 25 * 60 * minute
    await sweep()
    await ana.client.login('ana@example.org')
    expect(await ana.status(card.sold.id)).toBe('pending')
    providers.stripe.failure = undefined
    now += 3 * 60 * minute
    await sweep()
    await ana.client.login('ana@example.org')
    expect([await ana.credits(), await ana.status(card.sold.id)]).toEqual([12, 'completed'])
  })

  it('leaves open what only another node can ask for, also when the person has it checked there', async () => {
    let now = Date.now()
    const env = { AUTH_SECRET: 'a secret of both nodes, of 32 characters or more' }
    const { app, sweep } = await aShop({ now: () => now, env })
    const noPix = { MERCADOPAGO_ACCESS_TOKEN: '', MERCADOPAGO_WEBHOOK_SECRET: '', MERCADOPAGO_API_URL: '', USD_BRL_RATE: '' }
    const other = await aShop({ now: () => now, env: { ...env, ...noPix }, keepTables: true })
    const ana = await aBuyer(app)
    const [qr, card] = [await ana.buy(5, 'pix'), await ana.buy(7, 'card')]
    providers.pix.change(qr.sold.id, { status: 'approved' })
    now += 25 * 60 * minute
    await ana.client.login('ana@example.org')
    const elsewhere = new Client(other.app, null)
    elsewhere.tokens = ana.client.tokens
    expect(await elsewhere.send('GET', `${payment}/pix/check-status/${qr.sold.id}`)).toMatchObject({ status: 502, body: { code: 'payment.pix-failed' } })
    await other.sweep()
    expect([await ana.status(qr.sold.id), await ana.status(card.sold.id)]).toEqual(['pending', 'expired'])
    await sweep()
    expect([await ana.status(qr.sold.id), await ana.credits()]).toEqual(['completed', 5])
  })

  it('completes the payment of an account that is gone without crediting anybody', async () => {
    const { app, ledger } = await aShop()
    const ana = await aBuyer(app)
    const { sold } = await ana.buy(5, 'card')
    expect((await ana.client.send('DELETE', '/api/user/account', { userId: ana.userId })).status).toBe(204)
    expect((await fromStripe(app, 'checkout.session.completed', providers.stripe.change(sold.id, { status: 'complete', isPaid: true }))).status).toBe(200)
    const again = await aBuyer(app)
    expect([await again.credits(), (await again.client.send('GET', `${payment}/${sold.id}`)).status]).toEqual([0, 404])
    expect((await ledger.check()).findings).toEqual([])
  })

  it('lets accounts be deleted in the moment in which their payments complete', async () => {
    const { app, ledger } = await aShop()
    const people = await Promise.all(Array.from({ length: 12 }, (_, n) => aBuyer(app, `p${n}@example.org`)))
    const results = await Promise.all(
      people.map(async ({ buy, client, userId }) => {
        const { sold } = await buy(5, 'card')
        const session = providers.stripe.change(sold.id, { status: 'complete', isPaid: true })
        const [told, gone, again] = await Promise.all([
          fromStripe(app, 'checkout.session.completed', session),
          client.send('DELETE', '/api/user/account', { userId }),
          fromStripe(app, 'checkout.session.completed', session),
        ])
        return [told.status, gone.status, again.status]
      }),
    )
    expect(results).toEqual(people.map(() => [200, 204, 200]))
    expect((await ledger.check()).findings).toEqual([])
  })

  it('lets no row of a payment go back, change what it is about or vanish', async () => {
    const { app } = await aShop()
    const ana = await aBuyer(app)
    const { sold } = await ana.buy(5, 'card')
    await fromStripe(app, 'checkout.session.completed', providers.stripe.change(sold.id, { status: 'complete', isPaid: true }))
    const wrong = [
      "status = 'pending'",
      "status = 'failed'",
      "status = 'expired'",
      'amount = amount * 2',
      'asked = 1',
      "method = 'pix', currency = 'brl'",
      `user_id = '${(await aBuyer(app, 'bob@example.org')).userId}'`,
      'credited_at = null',
      'expires_at = now()',
    ]
    for (const change of wrong) await expect(app.db.execute(sql.raw(`update payments set ${change}`)), change).rejects.toThrow()
    await expect(app.db.execute(sql`delete from payments`)).rejects.toThrow()
    expect(await ana.status(sold.id)).toBe('completed')
  })

  it('notices in its check when a payment and the ledger disagree', async () => {
    const { app, ledger } = await aShop()
    const ana = await aBuyer(app)
    const { sold } = await ana.buy(5, 'card')
    await app.db.execute(sql`update payments set status = 'completed', credited_at = now() where id = ${sold.id}`)
    expect((await ledger.check()).findings).toEqual([{ rule: 'a payment is credited when it says so, and with its amount', id: sold.id }])
  })

  it('tells which ways to pay there are, and has no others', async () => {
    const { app } = await aShop()
    const offer = async (place: TestApp) => ((await (await place.call('/api/config')).json()) as { payments: unknown }).payments
    expect(await offer(app)).toEqual({ methods: ['pix', 'card'], minDollars: 1, maxDollars: 10_000, usdBrlRate: '5.231' })
    const none = await buildTestApp({ kind, keepTables: true })
    expect(await offer(none)).toEqual({ methods: [], minDollars: 1, maxDollars: 10_000 })
    const ana = await aBuyer(none)
    for (const method of ['pix', 'card', 'token']) expect((await ana.buy(5, method)).body).toMatchObject({ status: 400, code: 'payment.method-unavailable' })
    expect((await none.call('/api/billing/webhooks/stripe', { method: 'POST', body: '{}' })).status).toBe(404)
    expect((await none.call('/api/billing/webhooks/mercadopago', { method: 'POST', body: '{}' })).status).toBe(404)
  })
})
