import { sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { databases } from '../../testing/build-test-app'
import { aBuyer, usePaymentProviders } from '../../testing/payment-shop'

const payment = '/api/billing/payment'

const providers = usePaymentProviders()
const { fromStripe } = providers

describe.each(databases)('the integrity of payments on %s', (kind) => {
  const aShop = () => providers.aShop({ kind })

  it('completes the payment of an account that is gone without crediting anybody', async () => {
    const { app, ledger } = await aShop()
    const ana = await aBuyer(app)
    const { order } = await ana.buy(5, 'card')
    expect((await ana.client.send('DELETE', '/api/user/account', { userId: ana.userId })).status).toBe(204)
    expect(
      (
        await fromStripe(
          app,
          'checkout.session.completed',
          providers.stripe.change(order.id, { status: 'complete', isPaid: true }),
        )
      ).status,
    ).toBe(200)
    const again = await aBuyer(app)
    expect([await again.credits(), (await again.client.send('GET', `${payment}/${order.id}`)).status]).toEqual([0, 404])
    expect((await ledger.check()).findings).toEqual([])
  })

  it('lets accounts be deleted in the moment in which their payments complete', async () => {
    const { app, ledger } = await aShop()
    const people = await Promise.all(Array.from({ length: 12 }, (_, n) => aBuyer(app, `p${n}@example.org`)))
    const results = await Promise.all(
      people.map(async ({ buy, client, userId }) => {
        const { order } = await buy(5, 'card')
        const session = providers.stripe.change(order.id, { status: 'complete', isPaid: true })
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
    const { order } = await ana.buy(5, 'card')
    await fromStripe(
      app,
      'checkout.session.completed',
      providers.stripe.change(order.id, { status: 'complete', isPaid: true }),
    )
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
    for (const change of wrong)
      await expect(app.db.execute(sql.raw(`update payments set ${change}`)), change).rejects.toThrow()
    await expect(app.db.execute(sql`delete from payments`)).rejects.toThrow()
    expect(await ana.status(order.id)).toBe('completed')
  })

  it('notices in its check when a payment and the ledger disagree', async () => {
    const { app, ledger } = await aShop()
    const ana = await aBuyer(app)
    const { order } = await ana.buy(5, 'card')
    await app.db.execute(sql`update payments set status = 'completed', credited_at = now() where id = ${order.id}`)
    expect((await ledger.check()).findings).toEqual([
      { rule: 'a payment is credited when it says so, and with its amount', id: order.id },
    ])
  })
})
