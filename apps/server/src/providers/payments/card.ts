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
          { idempotencyKey: paymentId },
        ),
      )
      if (!session.url) throw new ProviderError('Stripe', 200, 'no_url')
      return { providerId: session.id, paymentUrl: session.url }
    },

    async find(providerId) {
      try {
        return paymentOf(await asked(stripe.checkout.sessions.retrieve(providerId, { expand: ['payment_intent.latest_charge'] })))
      } catch (error) {
        if (error instanceof ProviderError && error.status === 404) return undefined
        throw error
      }
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
      case 'charge.dispute.created':
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
}

function paymentOf(session: Stripe.Checkout.Session): ProviderPayment {
  const intent = typeof session.payment_intent === 'object' ? session.payment_intent : null
  return {
    paymentId: session.client_reference_id ?? undefined,
    status: statusOf(session, intent),
    received: BigInt(intent?.amount_received ?? session.amount_total ?? 0),
    currency: intent?.currency ?? session.currency ?? '',
    ...(intent ? { transactionId: intent.id } : {}),
  }
}

/** What is partly given back stays paid: how much of it counts is for the operator to say. */
function statusOf(session: Stripe.Checkout.Session, intent: Stripe.PaymentIntent | null): ProviderPayment['status'] {
  const charge = intent && typeof intent.latest_charge === 'object' ? intent.latest_charge : null
  if (charge?.refunded || charge?.disputed) return 'refunded'
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
        toJSON: async () => JSON.parse(await response.text()),
      }
    },
  }
}
