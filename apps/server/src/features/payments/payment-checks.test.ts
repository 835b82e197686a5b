import { serverLimits } from '@parley/contract/limits/server'
import { describe, expect, it } from 'vitest'
import { databases } from '../../testing/build-test-app'
import { aBuyer, usePaymentProviders } from '../../testing/payment-shop'
import { Client } from '../../testing/person'

const payment = '/api/billing/payment'
const minute = 60_000

const providers = usePaymentProviders()
const { fromMercadoPago } = providers

describe.each(databases)('checks of payments on %s', (kind) => {
  async function aShop(more: { now?: () => number; env?: Record<string, string>; keepTables?: boolean } = {}) {
    const { payments, ...shop } = await providers.aShop({ kind, ...more })
    /** What every node does periodically. */
    return { ...shop, sweep: () => payments.sweep() }
  }

  it('asks the provider when the person checks a Pix payment [ST-176]', async () => {
    let now = Date.now()
    const { app } = await aShop({ now: () => now })
    const ana = await aBuyer(app)
    const { order } = await ana.buy(5, 'pix')
    const check = async () => {
      now += serverLimits.payments.checkEveryMs
      return ana.client.send('GET', `${payment}/pix/check-status/${order.id}`)
    }
    expect((await check()).body).toMatchObject({ status: 'pending' })
    providers.pix.failure = 500
    expect(await check()).toMatchObject({
      status: 502,
      body: { code: 'payment.pix-failed', message: 'Failed to process the Pix payment' },
    })
    providers.pix.failure = undefined
    providers.pix.change(order.id, { status: 'approved' })
    expect((await check()).body).toMatchObject({ status: 'completed' })
    expect((await check()).body).toMatchObject({ status: 'completed' })
    expect(await ana.credits()).toBe(5)
    const card = await ana.buy(5, 'card')
    expect((await ana.client.send('GET', `${payment}/pix/check-status/${card.order.id}`)).status).toBe(404)
  })

  it('asks a provider once for what is checked again and again, on two nodes, and tells what is known meanwhile', async () => {
    let now = Date.now()
    const options = { now: () => now, env: { AUTH_SECRET: 'a secret of both nodes, of 32 characters or more' } }
    const { app } = await aShop(options)
    const { app: second } = await aShop({ ...options, keepTables: true })
    const ana = await aBuyer(app)
    const { order } = await ana.buy(5, 'pix')
    const elsewhere = new Client(second, null)
    elsewhere.tokens = ana.client.tokens
    providers.pix.change(order.id, { status: 'approved' })
    now += serverLimits.payments.checkEveryMs
    const before = providers.pix.calls
    const path = `${payment}/pix/check-status/${order.id}`
    const answers = await Promise.all(
      Array.from({ length: 25 }, (_, n) => (n % 2 === 0 ? ana.client : elsewhere).send('GET', path)),
    )
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    expect(providers.pix.calls - before).toBe(1)
    expect(await ana.credits()).toBe(5)
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
    expect(await ana.status(qr.order.id)).toBe('pending')
    await later(2 * minute)
    expect([await ana.status(qr.order.id), await ana.status(late.order.id), await ana.status(card.order.id)]).toEqual([
      'expired',
      'expired',
      'pending',
    ])
    // The bank took its time, but the money is here.
    await fromMercadoPago(app, providers.pix.change(late.order.id, { status: 'approved' }).id)
    expect([await ana.status(late.order.id), await ana.credits()]).toEqual(['completed', 6])
    await later(24 * 60 * minute)
    expect(await ana.status(card.order.id)).toBe('expired')
  })

  it('finds out by itself what a lost notification did not tell, and keeps open what it cannot ask for', async () => {
    let now = Date.now()
    const { app, sweep } = await aShop({ now: () => now })
    const ana = await aBuyer(app)
    const [qr, card, refused] = [await ana.buy(5, 'pix'), await ana.buy(7, 'card'), await ana.buy(9, 'pix')]
    providers.pix.change(qr.order.id, { status: 'approved' })
    providers.pix.change(refused.order.id, { status: 'cancelled', detail: 'by_collector' })
    providers.stripe.change(card.order.id, { status: 'complete', isPaid: true })
    providers.stripe.failure = 500
    now += 2 * serverLimits.payments.askAgainMs
    await sweep()
    expect([await ana.credits(), await ana.status(refused.order.id)]).toEqual([5, 'failed'])
    now += 25 * 60 * minute
    await sweep()
    await ana.client.login('ana@example.org')
    expect(await ana.status(card.order.id)).toBe('pending')
    providers.stripe.failure = undefined
    now += 3 * 60 * minute
    await sweep()
    await ana.client.login('ana@example.org')
    expect([await ana.credits(), await ana.status(card.order.id)]).toEqual([12, 'completed'])
  })

  it('leaves open what only another node can ask for, also when the person has it checked there', async () => {
    let now = Date.now()
    const env = { AUTH_SECRET: 'a secret of both nodes, of 32 characters or more' }
    const { app, sweep } = await aShop({ now: () => now, env })
    const noPix = {
      MERCADOPAGO_ACCESS_TOKEN: '',
      MERCADOPAGO_WEBHOOK_SECRET: '',
      MERCADOPAGO_API_URL: '',
      USD_BRL_RATE: '',
    }
    const other = await aShop({ now: () => now, env: { ...env, ...noPix }, keepTables: true })
    const ana = await aBuyer(app)
    const [qr, card] = [await ana.buy(5, 'pix'), await ana.buy(7, 'card')]
    providers.pix.change(qr.order.id, { status: 'approved' })
    now += 25 * 60 * minute
    await ana.client.login('ana@example.org')
    const elsewhere = new Client(other.app, null)
    elsewhere.tokens = ana.client.tokens
    expect(await elsewhere.send('GET', `${payment}/pix/check-status/${qr.order.id}`)).toMatchObject({
      status: 502,
      body: { code: 'payment.pix-failed' },
    })
    await other.sweep()
    expect([await ana.status(qr.order.id), await ana.status(card.order.id)]).toEqual(['pending', 'expired'])
    await sweep()
    expect([await ana.status(qr.order.id), await ana.credits()]).toEqual(['completed', 5])
  })
})
