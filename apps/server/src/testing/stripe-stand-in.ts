import { createHmac, randomBytes } from 'node:crypto'
import { type StandInAnswer, type StandInCall, startStandIn } from './http-stand-in'

type Session = {
  id: string
  reference: string
  /** Seconds since 1970. */
  created: number
  cents: number
  currency: string
  status: 'open' | 'complete' | 'expired'
  isPaid: boolean
  /** Cents that were given back. */
  refunded: number
  /** As the dispute of its whole charge stands; undefined without one. */
  dispute: string | undefined
  successUrl: string
}

type Signed = { body: string; headers: Record<string, string> }

export interface StripeStandIn {
  readonly url: string
  readonly secretKey: string
  readonly webhookSecret: string
  /** Newest last. */
  readonly sessions: Session[]
  /** How often anything was asked for. */
  readonly calls: number
  /** What it answers everything with, beside 200. */
  failure: number | undefined
  /** Its next answer about a session is made when it is asked for, and sent when `answer` is called. */
  holdNext(): { asked: Promise<void>; answer(): void }
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
  let held: { onAsked(): void; isLetGo: Promise<void> } | undefined
  const refuse = (status: number) => ({
    status,
    json: { error: { type: 'invalid_request_error', message: `no: ${stripe.secretKey}` } },
  })

  const answer = ({ method, url, headers, body }: StandInCall): StandInAnswer | Promise<StandInAnswer> => {
    calls += 1
    if (stripe.failure !== undefined) return refuse(stripe.failure)
    if (headers.authorization !== `Bearer ${stripe.secretKey}`) return refuse(401)
    if (method === 'POST' && url.pathname === '/v1/checkout/sessions')
      return { status: 200, json: sessionJson(create(new URLSearchParams(body), headers['idempotency-key'])) }
    if (url.pathname === '/v1/checkout/sessions') {
      const intent = url.searchParams.get('payment_intent')
      if (intent === null) return listed(url.searchParams)
      const data = sessions.filter(({ id }) => intentOf(id) === intent).map(sessionJson)
      return { status: 200, json: { object: 'list', data, has_more: false, url: url.pathname } }
    }
    if (url.pathname === '/v1/disputes') {
      const data = sessions
        .filter(({ id, dispute }) => dispute && chargeOf(id) === url.searchParams.get('charge'))
        .map(disputeJson)
      return { status: 200, json: { object: 'list', data, has_more: false, url: '/v1/disputes' } }
    }
    const session = sessions.find(({ id }) => url.pathname === `/v1/checkout/sessions/${id}`)
    if (!session) return refuse(404)
    const known = { status: 200, json: sessionJson(session) }
    const hold = held
    held = undefined
    hold?.onAsked()
    return hold ? hold.isLetGo.then(() => known) : known
  }

  /** In pages of two, whatever is asked for, newest first. */
  const listed = (query: URLSearchParams) => {
    const from = Number(query.get('created[gte]'))
    const all = sessions.filter(({ created }) => created >= from).reverse()
    const after = query.get('starting_after')
    const start = after === null ? 0 : all.findIndex(({ id }) => id === after) + 1
    const data = all.slice(start, start + 2).map(sessionJson)
    return {
      status: 200,
      json: { object: 'list', data, has_more: start + 2 < all.length, url: '/v1/checkout/sessions' },
    }
  }

  const create = (form: URLSearchParams, key: string | string[] | undefined): Session => {
    const known = typeof key === 'string' ? byKey.get(key) : undefined
    if (known) return known
    const session: Session = {
      id: `cs_test_${randomBytes(12).toString('hex')}`,
      reference: form.get('client_reference_id') ?? '',
      created: Math.floor(Date.now() / 1_000),
      cents: Number(form.get('line_items[0][price_data][unit_amount]')),
      currency: form.get('line_items[0][price_data][currency]') ?? '',
      status: 'open',
      isPaid: false,
      refunded: 0,
      dispute: undefined,
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
    holdNext() {
      let letGo = (): void => undefined
      const isLetGo = new Promise<void>((resolve) => {
        letGo = resolve
      })
      const asked = new Promise<void>((onAsked) => {
        held = { onAsked, isLetGo }
      })
      return { asked, answer: () => letGo() }
    },
    change(reference, change) {
      const session = sessions.find((one) => one.reference === reference)
      if (!session) throw new Error('no such session')
      return Object.assign(session, change)
    },
    event(
      type,
      session,
      { id = `evt_${randomBytes(12).toString('hex')}`, at = Date.now(), secret = stripe.webhookSecret } = {},
    ) {
      const isMoney = type.startsWith('charge.')
      const object = isMoney
        ? { id: chargeOf(session.id), object: 'charge', payment_intent: intentOf(session.id) }
        : sessionJson(session)
      const body = JSON.stringify({ id, object: 'event', type, data: { object } })
      const seconds = Math.floor(at / 1_000)
      const signature = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')
      return {
        body,
        headers: {
          'content-type': 'application/json; charset=utf-8',
          'stripe-signature': `t=${seconds},v1=${signature}`,
        },
      }
    },
    close: server.close,
  }
  return stripe
}

const intentOf = (sessionId: string): string => `pi_${sessionId}`
const chargeOf = (sessionId: string): string => `ch_${sessionId}`

function disputeJson({ id, cents, currency, dispute }: Session) {
  return {
    id: `du_${id}`,
    object: 'dispute',
    charge: chargeOf(id),
    payment_intent: intentOf(id),
    amount: cents,
    currency,
    status: dispute,
  }
}

function sessionJson({ id, reference, cents, currency, status, isPaid, refunded, dispute }: Session) {
  const intent = {
    id: intentOf(id),
    object: 'payment_intent',
    status: isPaid ? 'succeeded' : 'requires_payment_method',
    currency,
    amount_received: isPaid ? cents : 0,
    latest_charge: {
      id: chargeOf(id),
      object: 'charge',
      amount_refunded: refunded,
      refunded: isPaid && refunded >= cents,
      // A dispute that was won is still one.
      disputed: dispute !== undefined,
    },
  }
  return {
    id,
    object: 'checkout.session',
    client_reference_id: reference,
    url: status === 'open' ? `https://checkout.stripe.com/c/pay/${id}` : null,
    status,
    payment_status: isPaid ? 'paid' : 'unpaid',
    amount_total: cents,
    currency,
    payment_intent: status === 'open' ? null : intent,
  }
}
