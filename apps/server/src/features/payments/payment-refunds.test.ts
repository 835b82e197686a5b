import type { ServerFrame } from '@parley/contract/chat'
import { dollars } from '@parley/contract/money'
import { uuidv7 } from '@parley/contract/uuid'
import { describe, expect, it } from 'vitest'
import { databases } from '../../testing/build-test-app'
import { Visitor } from '../../testing/chat-client'
import { findMoneyViolations } from '../../testing/ledger-invariants'
import { aBuyer, usePaymentProviders } from '../../testing/payment-shop'
import type { StripeStandIn } from '../../testing/stripe-stand-in'

const providers = usePaymentProviders()
const { fromStripe, fromMercadoPago } = providers

describe.each(databases)('payments that go back on %s', (kind) => {
  const aShop = () => providers.aShop({ kind })

  it('takes credits back with a refund or a chargeback, once, and never below zero', async () => {
    const { app, ledger } = await aShop()
    const ana = await aBuyer(app)
    const [card, qr, other] = [await ana.buy(5, 'card'), await ana.buy(20, 'pix'), await ana.buy(3, 'card')]
    const session = providers.stripe.change(card.order.id, { status: 'complete', isPaid: true })
    await fromStripe(app, 'checkout.session.completed', session)
    await fromStripe(
      app,
      'checkout.session.completed',
      providers.stripe.change(other.order.id, { status: 'complete', isPaid: true }),
    )
    const { id } = providers.pix.change(qr.order.id, { status: 'approved' })
    await fromMercadoPago(app, id)
    expect(await ana.credits()).toBe(28)
    providers.stripe.change(card.order.id, { refunded: 500 })
    await Promise.all([fromStripe(app, 'charge.refunded', session), fromStripe(app, 'charge.refunded', session)])
    expect([await ana.credits(), await ana.status(card.order.id)]).toEqual([23, 'refunded'])
    providers.pix.change(qr.order.id, { status: 'charged_back' })
    await fromMercadoPago(app, id)
    expect([await ana.credits(), await ana.status(qr.order.id)]).toEqual([3, 'refunded'])
    await fromStripe(
      app,
      'charge.dispute.created',
      providers.stripe.change(other.order.id, { dispute: 'needs_response' }),
    )
    expect(await ana.credits()).toBe(0)
    const history = (await ana.client.send('GET', '/api/billing/credit/history')).body
    expect(history).toMatchObject({
      data: [
        { kind: 'refund', amount: '-3' },
        { kind: 'refund', amount: '-20' },
        { kind: 'refund', amount: '-5' },
        {},
        {},
        {},
      ],
    })
    // The payment's notification, late: the payment has ended.
    await fromStripe(app, 'checkout.session.completed', session)
    expect([await ana.credits(), await ana.status(card.order.id)]).toEqual([0, 'refunded'])
    expect((await ledger.check()).findings).toEqual([])
  })

  it('tells every open tab how much there is now, when a payment completes, goes back, or the operator grants', async () => {
    const { app } = await aShop()
    const ana = await aBuyer(app)
    const tabs = await Promise.all([1, 2].map(() => new Visitor(ana.client.tokens?.access_token).connect(app)))
    const told = async (content: number) => {
      for (const tab of tabs)
        await tab.until((frame): frame is ServerFrame => frame.event === 'credits-updated' && frame.content === content)
    }
    const { order } = await ana.buy(10, 'card')
    await fromStripe(
      app,
      'checkout.session.completed',
      providers.stripe.change(order.id, { status: 'complete', isPaid: true }),
    )
    await told(10)
    await fromStripe(app, 'charge.refunded', providers.stripe.change(order.id, { refunded: 250 }))
    await told(7.5)
    await app.admin(['credits', 'grant', '--email', 'ana@example.org', '--amount', '1'])
    await told(8.5)
  })

  it('takes back the part that was given back, and gives again what a dispute that was won or a refund that failed brought back', async () => {
    const { app, ledger } = await aShop()
    const ana = await aBuyer(app)
    const [card, qr] = [await ana.buy(10, 'card'), await ana.buy(7, 'pix')]
    const heard = (change: Parameters<StripeStandIn['change']>[1], type: string) =>
      fromStripe(app, type, providers.stripe.change(card.order.id, change))
    const { id } = providers.pix.change(qr.order.id, { status: 'approved' })
    await fromMercadoPago(app, id)
    await heard({ status: 'complete', isPaid: true }, 'checkout.session.completed')
    expect(await ana.credits()).toBe(17)
    await heard({ refunded: 333 }, 'charge.refunded')
    expect([await ana.credits(), await ana.status(card.order.id)]).toEqual([13.67, 'completed'])
    await Promise.all([heard({ refunded: 500 }, 'charge.refunded'), heard({}, 'charge.refunded')])
    expect([await ana.credits(), await ana.status(card.order.id)]).toEqual([12, 'completed'])
    await heard({ dispute: 'needs_response' }, 'charge.dispute.created')
    expect([await ana.credits(), await ana.status(card.order.id)]).toEqual([7, 'refunded'])
    await heard({ dispute: 'won' }, 'charge.dispute.closed')
    expect([await ana.credits(), await ana.status(card.order.id)]).toEqual([12, 'completed'])
    await heard({ refunded: 0 }, 'charge.refund.updated')
    expect([await ana.credits(), await ana.status(card.order.id)]).toEqual([17, 'completed'])
    // 36.62 reais were asked for.
    providers.pix.change(qr.order.id, { detail: 'partially_refunded', refunded: 18.31 })
    await fromMercadoPago(app, id)
    expect([await ana.credits(), await ana.status(qr.order.id)]).toEqual([13.5, 'completed'])
    providers.pix.change(qr.order.id, { status: 'charged_back', detail: 'in_process' })
    await fromMercadoPago(app, id)
    expect([await ana.credits(), await ana.status(qr.order.id)]).toEqual([10, 'refunded'])
    providers.pix.change(qr.order.id, { detail: 'reimbursed', refunded: 0 })
    await fromMercadoPago(app, id)
    expect([await ana.credits(), await ana.status(qr.order.id)]).toEqual([17, 'completed'])
    expect((await ledger.check()).findings).toEqual([])
  })

  it('takes what is owed from what an answer under way sets free, and lets the person go on', async () => {
    const { app, ledger, holds } = await aShop()
    const ana = await aBuyer(app)
    const { order } = await ana.buy(20, 'card')
    await fromStripe(
      app,
      'checkout.session.completed',
      providers.stripe.change(order.id, { status: 'complete', isPaid: true }),
    )
    const hold = (messageId: string, amount: string) =>
      holds.reserve(app.db, { userId: ana.userId, messageId, amount: dollars(amount), model: 'stand-in/large' })
    const messageId = uuidv7()
    await hold(messageId, '3')
    // 17 dollars are there to be taken.
    await fromStripe(app, 'charge.refunded', providers.stripe.change(order.id, { refunded: 1_800 }))
    await expect(hold(uuidv7(), '0.5')).rejects.toMatchObject({ code: 'credits.owed' })
    const result = await holds.settle(app.db, { userId: ana.userId, messageId, cost: dollars('0.05') })
    expect(result).toEqual({ charged: dollars('0.05'), spendable: dollars('1.95'), isNew: true })
    expect(await ana.credits()).toBe(1.95)
    expect(await hold(uuidv7(), '0.5')).toBe(true)
    const history = (await ana.client.send('GET', '/api/billing/credit/history')).body
    const amounts = ['-1', '-0.05', '-17', '20'].map((amount) => ({ amount }))
    expect(history).toMatchObject({ data: amounts })
    expect([(await ledger.check()).findings, await findMoneyViolations(app.db)]).toEqual([[], []])
  })

  it('asks again when the money moved while the provider was asked: an answer that is out of date changes nothing', async () => {
    const { app, ledger } = await aShop()
    const ana = await aBuyer(app)
    const { order } = await ana.buy(10, 'card')
    const heard = (change: Parameters<StripeStandIn['change']>[1], type: string) =>
      fromStripe(app, type, providers.stripe.change(order.id, change))
    await heard({ status: 'complete', isPaid: true }, 'checkout.session.completed')
    // Asked before the refund, answered after it.
    const late = providers.stripe.holdNext()
    const overtaken = heard({}, 'checkout.session.async_payment_succeeded')
    await late.asked
    await heard({ refunded: 1_000 }, 'charge.refunded')
    expect(await ana.credits()).toBe(0)
    late.answer()
    expect((await overtaken).status).toBe(200)
    expect([await ana.credits(), await ana.status(order.id)]).toEqual([0, 'refunded'])
    expect((await ledger.check()).findings).toEqual([])
  })

  it('grants nothing when the refund is heard of before the payment', async () => {
    const { app } = await aShop()
    const ana = await aBuyer(app)
    const { order } = await ana.buy(5, 'card')
    const session = providers.stripe.change(order.id, { status: 'complete', isPaid: true, refunded: 500 })
    await fromStripe(app, 'charge.refunded', session)
    await fromStripe(app, 'checkout.session.completed', session)
    expect([await ana.credits(), await ana.status(order.id)]).toEqual([0, 'refunded'])
  })
})
