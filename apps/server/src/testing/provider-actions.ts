import { uuidv7 } from '@parley/contract/uuid'
import type { PaymentProviders } from './payment-providers'
import type { Order } from './simulated-order'
import type { StepOf } from './simulation-steps'

/** Pays an order at its provider: rightly, or with another amount, currency or reference. */
export function payOrder(order: Order, how: StepOf<'pay'>['how'], now: number): void {
  order.isInTime = now < order.expiresAt
  order.isMismatch = how !== 'right'
  const reference = how === 'moved' ? { reference: uuidv7() } : {}
  if (order.method === 'card') {
    const cents = how === 'less' ? order.at.cents - 1 : order.at.cents
    const currency = how === 'foreign' ? { currency: 'eur' } : {}
    Object.assign(order.at, { status: 'complete', isPaid: true, cents, ...currency, ...reference })
  } else {
    const amount = how === 'less' ? Number((order.at.amount - 0.01).toFixed(2)) : order.at.amount
    const currency = how === 'foreign' ? { currency: 'USD' } : {}
    Object.assign(order.at, { status: 'approved', amount, ...currency, ...reference })
  }
}

type Webhook = { id: string; how: StepOf<'webhook'>['how']; type: string; at: number }

/** A provider's webhook about an order, or a forged, altered or old one, or one about an unknown payment. */
export function webhookAbout(
  order: Order,
  { id, how, type, at }: Webhook,
  { stripe, mercadoPago }: Pick<PaymentProviders, 'stripe' | 'mercadoPago'>,
) {
  const sentAt = how === 'old' ? at - 3_600_000 : at
  const secret = how === 'forged' ? { secret: 'of somebody else' } : {}
  if (order.method === 'card') {
    const session = how === 'stranger' ? { ...order.at, id: `cs_${id}` } : order.at
    const signed = stripe.event(type, session, { id, at: sentAt, ...secret })
    const altered = how === 'altered' ? { body: signed.body.replace('{', '{ ') } : {}
    return { path: '/api/billing/webhooks/stripe', ...signed, ...altered }
  }
  const about = how === 'stranger' ? 7 : order.at.id
  const signed = mercadoPago.notification(about, { requestId: id, at: sentAt, ...secret })
  const query = how === 'altered' ? signed.query.replace(String(about), String(about + 1)) : signed.query
  return { path: `/api/billing/webhooks/mercadopago${query}`, body: signed.body, headers: signed.headers }
}
