import { limits } from '@parley/contract/limits'
import { product } from '@parley/contract/product'
import Stripe from 'stripe'
import type { Egress, Service } from '../egress'
import { type PaymentProvider, ProviderError, type ProviderPayment } from './payment-provider'

type Options = { secretKey: string; webhookSecret: string; apiUrl: string | undefined; publicUrl: string; egress: Egress; now: () => number }

/** Cards, through the page of Stripe Checkout. */
export function createCard({ secretKey, webhookSecret, apiUrl = 'https://api.stripe.com', publicUrl, egress, now }: Options): PaymentProvider {
  const stripe = new Stripe(secretKey, {
    httpClient: clientOf(egress.service({ baseUrl: apiUrl })),
    timeout: limits.payments.providerMs,
    maxNetworkRetries: 1,
    telemetry: false,
  })
  const back = `${publicUrl}/settings?tab=credits`

  return {
    async start({ paymentId, cents }) {
      // Stripe's own end of a session is after 24 hours, as ours, and cannot be later.
      const session = await asked(
        stripe.checkout.sessions.create(
          {
            mode: 'payment',
            allowed_payment_method_types: ['card'],
            // What is received must be what was asked for, in dollars.
            adaptive_pricing: { enabled: false },
            client_reference_id: paymentId,
            line_items: [{ quantity: 1, price_data: { currency: 'usd', unit_amount: Number(cents), product_data: { name: `${product.name} credits` } } }],
            success_url: `${back}&success=true`,
            cancel_url: back,
          },
          // Whoever starts a payment decides when to ask again.
          { idempotencyKey: paymentId, maxNetworkRetries: 0 },
        ),
      )
      if (!session.url) throw new ProviderError('Stripe', 200, 'no_url')
      return { providerId: session.id, paymentUrl: session.url }
    },

    async find(providerId) {
      try {
        const session = await asked(stripe.checkout.sessions.retrieve(providerId, { expand: ['payment_intent.latest_charge'] }))
        return paymentOf(session, await returnedOf(session))
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
        const page = await asked(stripe.checkout.sessions.list({ created, limit: 100, expand, ...(after === undefined ? {} : { starting_after: after }) }))
        for (const session of page.data) yield { ...paymentOf(session, await returnedOf(session)), providerId: session.id }
        after = page.has_more ? page.data.at(-1)?.id : undefined
      } while (after !== undefined)
    },

    readNotice({ raw, headers }) {
      const signature = headers['stripe-signature']
      if (typeof signature !== 'string') return undefined
      let event: Stripe.Event
      try {
        event = stripe.webhooks.constructEvent(raw, signature, webhookSecret, undefined, undefined, now())
      } catch {
        return undefined
      }
      // The library bounds the age alone, and takes no number for a time.
      const times = signature.split(',').filter((part) => part.trim().startsWith('t='))
      const sentAt = /^\d{1,12}$/.test(times[0]?.trim().slice(2) ?? '') ? Number(times[0]?.trim().slice(2)) * 1_000 : Number.NaN
      if (times.length !== 1 || !(sentAt - now() <= limits.payments.providerClockMs)) return undefined
      return { eventId: event.id, locate: () => sessionOf(event) }
    },
  }

  /** What is given back or disputed names the money, not the session that asked for it. */
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
        const { data } = await asked(stripe.checkout.sessions.list({ payment_intent: typeof intent === 'string' ? intent : intent.id, limit: 1 }))
        return data[0]?.id
      }
      default:
        return undefined
    }
  }

  /** A charge says that it was disputed for ever; how that ended, only the dispute does. */
  async function returnedOf({ payment_intent: intent }: Stripe.Checkout.Session): Promise<bigint> {
    const charge = intent && typeof intent === 'object' && typeof intent.latest_charge === 'object' ? intent.latest_charge : null
    if (!charge) return 0n
    const refunded = BigInt(charge.amount_refunded)
    if (!charge.disputed) return refunded
    const { data } = await asked(stripe.disputes.list({ charge: charge.id, limit: 100 }))
    return data.filter(({ status }) => !harmless.includes(status)).reduce((sum, { amount }) => sum + BigInt(amount), refunded)
  }
}

/** Of disputes whose money is ours: nothing was taken, or it came back. */
const harmless: readonly Stripe.Dispute.Status[] = ['won', 'prevented', 'warning_needs_response', 'warning_under_review', 'warning_closed']

function paymentOf(session: Stripe.Checkout.Session, returned: bigint): ProviderPayment {
  const intent = typeof session.payment_intent === 'object' ? session.payment_intent : null
  return {
    paymentId: session.client_reference_id ?? undefined,
    status: statusOf(session, intent),
    received: BigInt(intent?.amount_received ?? session.amount_total ?? 0),
    returned,
    currency: intent?.currency ?? session.currency ?? '',
    ...(intent ? { transactionId: intent.id } : {}),
  }
}

function statusOf(session: Stripe.Checkout.Session, intent: Stripe.PaymentIntent | null): ProviderPayment['status'] {
  if (session.payment_status === 'paid') return 'completed'
  if (session.status === 'expired') return 'expired'
  return session.status === 'complete' && (intent?.status === 'canceled' || intent?.status === 'requires_payment_method') ? 'failed' : 'pending'
}

async function asked<T>(call: Promise<T>): Promise<T> {
  try {
    return await call
  } catch (error) {
    if (error instanceof Stripe.errors.StripeError) throw new ProviderError('Stripe', error.statusCode, error.code ?? error.type)
    throw error
  }
}

type HttpClient = NonNullable<NonNullable<ConstructorParameters<typeof Stripe>[1]>['httpClient']>

/** The library's requests go through our one door, whatever host it thinks of. */
function clientOf(service: Service): HttpClient {
  return {
    getClientName: () => 'parley',
    async makeRequest(_host, _port, path, method, headers, requestData, _protocol, timeout) {
      if (method !== 'GET' && method !== 'POST') throw new TypeError('only asking and telling is provided for')
      const response = await service(path, {
        method,
        headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
        ...(method === 'POST' ? { body: requestData ?? '' } : {}),
        signal: AbortSignal.timeout(timeout),
      })
      const kept = ['request-id', 'stripe-should-retry', 'retry-after', 'idempotent-replayed']
      return {
        getStatusCode: () => response.status,
        getHeaders: () => Object.fromEntries(kept.flatMap((name) => (response.header(name) === undefined ? [] : [[name, response.header(name) ?? '']]))),
        getRawResponse: () => response,
        toStream: () => response.body,
        // The library takes whatever names no error for an answer, even from a gateway that stands before a service that is down.
        toJSON: async () => {
          const body = JSON.parse(await response.text())
          return response.isOk || body.error ? body : { error: { type: 'api_error' } }
        },
      }
    },
  }
}
