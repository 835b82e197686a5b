import * as z from 'zod/mini'
import { limits } from './limits/shared'
import { type Nano, parseDollars, toCents } from './money'
import { route } from './route'

export const paymentMethods = ['pix', 'card', 'token'] as const
export type PaymentMethod = (typeof paymentMethods)[number]

/**
 * pending → failed or expired → completed → refunded: a payment only ever goes on in this order, and may leave out what
 * did not happen. What a provider proves to have been paid after all is completed, however late; credits are granted
 * with `completed`, once. Refunded is what went back whole; it is completed again when it came back, as after a dispute
 * that was won. Of what went back in part, that part of the credits is taken back.
 */
export const paymentStatuses = ['pending', 'failed', 'expired', 'completed', 'refunded'] as const
export type PaymentStatus = (typeof paymentStatuses)[number]

/** What a Pix payment asks for, in reais. */
export const PixInfo = z.object({
  currency: z.literal('BRL'),
  /** `52.30` */
  amount: z.string(),
  /** Reais for one dollar. */
  rate: z.string(),
  /** ISO 8601 UTC */
  expires_at: z.string(),
})

/** What a token payment asks for. */
export const TokenQuote = z.object({
  chainId: z.int(),
  token: z.string(),
  treasury: z.string(),
  /** How many of the token, with four decimals. */
  aizAmount: z.string(),
  paymentId: z.string(),
  /**
   * The whole call data of the transfer, for the wallet to send to `token`. Behind the transfer it names the payment,
   * so that nobody else can pass this transfer off as theirs; the token does not read it.
   */
  data: z.string(),
  /** ISO 8601 UTC */
  expires_at: z.string(),
})

export const Payment = z.object({
  id: z.string(),
  /** In dollars. */
  amount: z.number(),
  status: z.enum(paymentStatuses),
  method: z.enum(paymentMethods),
  /** ISO 8601 UTC, as all times here. */
  created_at: z.string(),
  updated_at: z.string(),
  /** The provider's own id of the money, or the hash of the token's transfer, once it is known. */
  transaction_id: z.optional(z.string()),
  /** Of a card payment, while it can be paid there. */
  payment_url: z.optional(z.string()),
  /** While it can be paid. `qr_code` is the text of the QR code, which can also be copied into a bank's app. */
  pix: z.optional(z.object({ qr_code: z.string(), tx_info: PixInfo })),
  token: z.optional(TokenQuote),
})
export type Payment = z.infer<typeof Payment>

const PaymentId = z.object({ id: z.uuid() })
const TransactionHash = z.string().check(z.regex(/^0x[0-9a-f]{64}$/i))

/** Of payments, people reach their own only. */
export const paymentRoutes = {
  list: route({
    method: 'GET',
    path: '/api/billing/payment/user',
    response: z.object({ data: z.array(Payment) }),
    summary: 'The payments of the signed-in person, newest first',
  }),
  get: route({
    method: 'GET',
    path: '/api/billing/payment/:id',
    params: PaymentId,
    response: Payment,
    summary: 'One payment, as it is known here',
  }),
  checkPix: route({
    method: 'GET',
    path: '/api/billing/payment/pix/check-status/:id',
    params: PaymentId,
    response: Payment,
    summary: 'A Pix payment, after asking the provider for it',
  }),
  create: route({
    method: 'POST',
    path: '/api/billing/payment',
    /** Dollars; what is no amount to buy for has errors of its own. */
    body: z.object({ amount: z.number(), method: z.enum(paymentMethods) }),
    response: Payment,
    status: 201,
    summary: 'Starts a purchase of credits. With an Idempotency-Key, a repeated call answers the first one’s payment',
  }),
  reportTransfer: route({
    method: 'POST',
    path: '/api/billing/payment/:id/transaction',
    params: PaymentId,
    body: z.object({ hash: TransactionHash }),
    response: Payment,
    summary: 'Tells which transfer of the token pays a payment; the server reads it from the chain',
  }),
}

const Noticed = z.object({ received: z.literal(true) })

/** What the payment providers call: signed by them, of any content type; the body is read as it came. */
export const paymentWebhooks = {
  stripe: route({
    method: 'POST',
    path: '/api/billing/webhooks/stripe',
    response: Noticed,
    summary: 'Notifications of Stripe',
  }),
  mercadopago: route({
    method: 'POST',
    path: '/api/billing/webhooks/mercadopago',
    response: Noticed,
    summary: 'Notifications of Mercado Pago',
  }),
}

/** What somebody wants to buy credits for: the amount, or why it is none. */
export function purchaseAmount(
  value: number,
): { amount: Nano } | { error: 'payment.amount' | 'payment.minimum' | 'payment.maximum' } {
  if (value < limits.payments.minDollars) return { error: 'payment.minimum' }
  if (value > limits.payments.maxDollars) return { error: 'payment.maximum' }
  const amount = parseDollars(value)
  return amount === undefined || toCents(amount) === undefined ? { error: 'payment.amount' } : { amount }
}
