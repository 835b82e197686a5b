import { createHmac, randomBytes } from 'node:crypto'
import { type StandInCall, startStandIn } from './http-stand-in'

type Session = {
  id: string
  reference: string
  cents: number
  currency: string
  status: 'open' | 'complete' | 'expired'
  isPaid: boolean
  isRefunded: boolean
  isDisputed: boolean
  successUrl: string
}

type Signed = { body: string; headers: Record<string, string> }

export interface StripeStandIn {
  readonly url: string
  readonly secretKey: string
  readonly webhookSecret: string
  /** Newest last. */
  readonly sessions: readonly Session[]
  /** How often anything was asked for. */
  readonly calls: number
  /** What it answers everything with, beside 200. */
  failure: number | undefined
  /** What happens on its side; pages and webhooks are the test's. */
  change(reference: string, change: Partial<Session>): Session
  /** An event as Stripe signs it: HMAC-SHA256 over time and bytes. */
  event(type: string, session: Session, options?: { id?: string; at?: number; secret?: string }): Signed
  close(): Promise<void>
}

/** The part of Stripe's API that takes cards: checkout sessions with idempotency keys, and signed events. */
export async function startStripe(): Promise<StripeStandIn> {
  const sessions: Session[] = []
  const byKey = new Map<string, Session>()
  let calls = 0
  const refuse = (status: number) => ({ status, json: { error: { type: 'invalid_request_error', message: `no: ${stripe.secretKey}` } } })

  const answer = ({ method, url, headers, body }: StandInCall) => {
    calls += 1
    if (stripe.failure !== undefined) return refuse(stripe.failure)
    if (headers.authorization !== `Bearer ${stripe.secretKey}`) return refuse(401)
    if (method === 'POST' && url.pathname === '/v1/checkout/sessions')
      return { status: 200, json: sessionJson(create(new URLSearchParams(body), headers['idempotency-key'])) }
    if (url.pathname === '/v1/checkout/sessions') {
      const intent = url.searchParams.get('payment_intent')
      const data = sessions.filter(({ id }) => intentOf(id) === intent).map(sessionJson)
      return { status: 200, json: { object: 'list', data, has_more: false, url: '/v1/checkout/sessions' } }
    }
    const session = sessions.find(({ id }) => url.pathname === `/v1/checkout/sessions/${id}`)
    return session ? { status: 200, json: sessionJson(session) } : refuse(404)
  }

  const create = (form: URLSearchParams, key: string | string[] | undefined): Session => {
    const known = typeof key === 'string' ? byKey.get(key) : undefined
    if (known) return known
    const session: Session = {
      id: `cs_test_${randomBytes(12).toString('hex')}`,
      reference: form.get('client_reference_id') ?? '',
      cents: Number(form.get('line_items[0][price_data][unit_amount]')),
      currency: form.get('line_items[0][price_data][currency]') ?? '',
      status: 'open',
      isPaid: false,
      isRefunded: false,
      isDisputed: false,
      successUrl: form.get('success_url') ?? '',
    }
    sessions.push(session)
    if (typeof key === 'string') byKey.set(key, session)
    return session
  }

  const server = await startStandIn(answer)
  const stripe: StripeStandIn = {
    url: server.url,
    secretKey: `sk_test_${randomBytes(12).toString('hex')}`,
    webhookSecret: `whsec_${randomBytes(12).toString('hex')}`,
    sessions,
    get calls() {
      return calls
    },
    failure: undefined,
    change(reference, change) {
      const session = sessions.find((one) => one.reference === reference)
      if (!session) throw new Error('no such session')
      return Object.assign(session, change)
    },
    event(type, session, { id = `evt_${randomBytes(12).toString('hex')}`, at = Date.now(), secret = stripe.webhookSecret } = {}) {
      const isMoney = type.startsWith('charge.')
      const object = isMoney ? { id: `ch_${session.id}`, object: 'charge', payment_intent: intentOf(session.id) } : sessionJson(session)
      const body = JSON.stringify({ id, object: 'event', type, data: { object } })
      const seconds = Math.floor(at / 1_000)
      const signature = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')
      return { body, headers: { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': `t=${seconds},v1=${signature}` } }
    },
    close: server.close,
  }
  return stripe
}

const intentOf = (sessionId: string): string => `pi_${sessionId}`

function sessionJson({ id, reference, cents, currency, status, isPaid, isRefunded, isDisputed }: Session) {
  const intent = {
    id: intentOf(id),
    object: 'payment_intent',
    status: isPaid ? 'succeeded' : 'requires_payment_method',
    currency,
    amount_received: isPaid ? cents : 0,
    latest_charge: { id: `ch_${id}`, object: 'charge', refunded: isRefunded, disputed: isDisputed },
  }
  return {
    id,
    object: 'checkout.session',
    client_reference_id: reference,
    url: status === 'open' ? `https://checkout.stripe.example/c/pay/${id}` : null,
    status,
    payment_status: isPaid ? 'paid' : 'unpaid',
    amount_total: cents,
    currency,
    payment_intent: status === 'open' ? null : intent,
  }
}
