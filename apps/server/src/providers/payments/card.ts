import { serverLimits } from '@parley/contract/limits/server'
import { product } from '@parley/contract/product'
import Stripe from 'stripe'
import type { Egress, Service } from '../egress'
import { type PaymentProvider, ProviderError, type ProviderPayment } from './payment-provider'

type Options = {
  secretKey: string
  webhookSecret: string
  apiUrl: string | undefined
  publicUrl: string
  egress: Egress
  now: () => number
}

/** Cards, through the page of Stripe Checkout. */
export function createCard({
  secretKey,
  webhookSecret,
  apiUrl = 'https://api.stripe.com',
  publicUrl,
  egress,
  now,
}: Options): PaymentProvider {
  const stripe = new Stripe(secretKey, {
    httpClient: clientOf(egress.service({ baseUrl: apiUrl })),
    timeout: serverLimits.payments.providerMs,
    maxNetworkRetries: 1,
    telemetry: false,
  })
  const back = `${publicUrl}/settings?tab=credits`

  return {
    async start({ paymentId, cents }) {
      // Stripe expires a session after 24 hours, as we do, and at the latest then.
      const session = await request(
        stripe.checkout.sessions.create(
          {
            mode: 'payment',
            allowed_payment_method_types: ['card'],
            // The received amount must equal the amount due, in dollars.
            adaptive_pricing: { enabled: false },
            client_reference_id: paymentId,
            line_items: [
              {
                quantity: 1,
                price_data: {
                  currency: 'usd',
                  unit_amount: Number(cents),
                  product_data: { name: `${product.name} credits` },
                },
              },
            ],
            success_url: `${back}&success=true`,
            cancel_url: back,
          },
          // The caller decides when to retry.
          { idempotencyKey: paymentId, maxNetworkRetries: 0 },
        ),
      )
      if (!session.url) throw new ProviderError('Stripe', 200, 'no_url')
      return { providerId: session.id, paymentUrl: session.url }
    },

    async find(providerId) {
      try {
        const session = await request(
          stripe.checkout.sessions.retrieve(providerId, { expand: ['payment_intent.latest_charge'] }),
        )
        return paymentOf(session, await refundedOf(session))
      } catch (error) {
        if (error instanceof ProviderError && error.status === 404) return undefined
        throw error
      }
    },

    async *list(since) {
      const created = { gte: Math.floor(since.getTime() / 1_000) }
      let after: string | undefined
      do {
        const expand = ['data.payment_intent.latest_charge']
        const page = await request(
          stripe.checkout.sessions.list({
            created,
            limit: 100,
            expand,
            ...(after === undefined ? {} : { starting_after: after }),
          }),
        )
        for (const session of page.data)
          yield { ...paymentOf(session, await refundedOf(session)), providerId: session.id }
        after = page.has_more ? page.data.at(-1)?.id : undefined
      } while (after !== undefined)
    },

    readWebhook({ raw, headers }) {
      const signature = headers['stripe-signature']
      if (typeof signature !== 'string') return undefined
      let event: Stripe.Event
      try {
        event = stripe.webhooks.constructEvent(raw, signature, webhookSecret, undefined, undefined, now())
      } catch {
        return undefined
      }
      // The library checks only the maximal age, and accepts a time that is not a number.
      const times = signature.split(',').filter((part) => part.trim().startsWith('t='))
      const sentAt = /^\d{1,12}$/.test(times[0]?.trim().slice(2) ?? '')
        ? Number(times[0]?.trim().slice(2)) * 1_000
        : Number.NaN
      if (times.length !== 1 || !(sentAt - now() <= serverLimits.payments.providerClockMs)) return undefined
      return { eventId: event.id, findPayment: () => sessionOf(event) }
    },
  }

  /** Refunds and disputes name the payment intent, not its checkout session. */
  async function sessionOf(event: Stripe.Event): Promise<string | undefined> {
    switch (event.type) {
      case 'checkout.session.completed':
      case 'checkout.session.async_payment_succeeded':
      case 'checkout.session.async_payment_failed':
      case 'checkout.session.expired':
        return event.data.object.id
      case 'charge.refunded':
      case 'charge.refund.updated':
      case 'charge.dispute.created':
      case 'charge.dispute.closed':
      case 'charge.dispute.funds_reinstated':
      case 'charge.dispute.funds_withdrawn': {
        const { payment_intent: intent } = event.data.object
        if (!intent) return undefined
        const { data } = await request(
          stripe.checkout.sessions.list({ payment_intent: typeof intent === 'string' ? intent : intent.id, limit: 1 }),
        )
        return data[0]?.id
      }
      default:
        return undefined
    }
  }

  /** A charge stays marked as disputed; only the dispute says how it ended. */
  async function refundedOf({ payment_intent: intent }: Stripe.Checkout.Session): Promise<bigint> {
    const charge =
      intent && typeof intent === 'object' && typeof intent.latest_charge === 'object' ? intent.latest_charge : null
    if (!charge) return 0n
    const refunded = BigInt(charge.amount_refunded)
    if (!charge.disputed) return refunded
    const { data } = await request(stripe.disputes.list({ charge: charge.id, limit: 100 }))
    return data
      .filter(({ status }) => !harmless.includes(status))
      .reduce((sum, { amount }) => sum + BigInt(amount), refunded)
  }
}

/** Disputes that take no money: a warning, or one that we have won. */
const harmless: readonly Stripe.Dispute.Status[] = [
  'won',
  'prevented',
  'warning_needs_response',
  'warning_under_review',
  'warning_closed',
]

function paymentOf(session: Stripe.Checkout.Session, refunded: bigint): ProviderPayment {
  const intent = typeof session.payment_intent === 'object' ? session.payment_intent : null
  return {
    paymentId: session.client_reference_id ?? undefined,
    status: statusOf(session, intent),
    received: BigInt(intent?.amount_received ?? session.amount_total ?? 0),
    refunded,
    currency: intent?.currency ?? session.currency ?? '',
    ...(intent ? { transactionId: intent.id } : {}),
  }
}

function statusOf(session: Stripe.Checkout.Session, intent: Stripe.PaymentIntent | null): ProviderPayment['status'] {
  if (session.payment_status === 'paid') return 'completed'
  if (session.status === 'expired') return 'expired'
  return session.status === 'complete' &&
    (intent?.status === 'canceled' || intent?.status === 'requires_payment_method')
    ? 'failed'
    : 'pending'
}

async function request<T>(call: Promise<T>): Promise<T> {
  try {
    return await call
  } catch (error) {
    if (error instanceof Stripe.errors.StripeError)
      throw new ProviderError('Stripe', error.statusCode, error.code ?? error.type)
    throw error
  }
}

type HttpClient = NonNullable<NonNullable<ConstructorParameters<typeof Stripe>[1]>['httpClient']>

/** Sends the library's requests through our egress, to the configured host. */
function clientOf(service: Service): HttpClient {
  return {
    getClientName: () => 'parley',
    async makeRequest(_host, _port, path, method, headers, requestData, _protocol, timeout) {
      if (method !== 'GET' && method !== 'POST') throw new TypeError('only GET and POST are supported')
      const response = await service(path, {
        method,
        headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
        ...(method === 'POST' ? { body: requestData ?? '' } : {}),
        signal: AbortSignal.timeout(timeout),
      })
      const kept = ['request-id', 'stripe-should-retry', 'retry-after', 'idempotent-replayed']
      return {
        getStatusCode: () => response.status,
        getHeaders: () =>
          Object.fromEntries(
            kept.flatMap((name) => (response.header(name) === undefined ? [] : [[name, response.header(name) ?? '']])),
          ),
        getRawResponse: () => response,
        toStream: () => response.body,
        // The library takes a body without `error` for a success, even the error page of a gateway before a service
        // that is down.
        toJSON: async () => {
          const body = JSON.parse(await response.text())
          return response.isOk || body.error ? body : { error: { type: 'api_error' } }
        },
      }
    },
  }
}
