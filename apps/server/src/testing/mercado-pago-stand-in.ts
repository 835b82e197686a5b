import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import { type StandInCall, startStandIn } from './http-stand-in'

type PixPayment = {
  id: number
  reference: string
  /** ISO 8601. */
  created: string
  amount: number
  /** Reais of it that were given back. */
  refunded: number
  currency: string
  status: string
  detail: string
  expires: string
  email: string
}

type Notification = { query: string; body: string; headers: Record<string, string> }

export interface MercadoPagoStandIn {
  readonly url: string
  readonly accessToken: string
  readonly webhookSecret: string
  /** Newest last. */
  readonly payments: PixPayment[]
  /** How often anything was asked for. */
  readonly calls: number
  failure: number | undefined
  change(reference: string, change: Partial<PixPayment>): PixPayment
  /** A notification as Mercado Pago signs it: HMAC-SHA256 over the payment's id, the request's and the time. */
  notification(
    id: number | string,
    options?: { requestId?: string; secret?: string; at?: number; type?: string },
  ): Notification
  close(): Promise<void>
}

/** The part of Mercado Pago's API that takes Pix. */
export async function startMercadoPago(): Promise<MercadoPagoStandIn> {
  const payments: PixPayment[] = []
  const byKey = new Map<string, PixPayment>()

  let calls = 0
  const answer = ({ method, url, headers, body }: StandInCall) => {
    calls += 1
    if (service.failure !== undefined)
      return { status: service.failure, json: { message: `no: ${service.accessToken}` } }
    if (headers.authorization !== `Bearer ${service.accessToken}`)
      return { status: 401, json: { message: 'unauthorized' } }
    if (method === 'POST' && url.pathname === '/v1/payments')
      return create(JSON.parse(body), String(headers['x-idempotency-key']))
    if (url.pathname === '/v1/payments/search') return search(url.searchParams)
    const found = payments.find(({ id }) => url.pathname === `/v1/payments/${id}`)
    return found ? { status: 200, json: paymentJson(found) } : { status: 404, json: { message: 'Payment not found' } }
  }

  /** In pages of two, whatever is asked for. */
  const search = (query: URLSearchParams) => {
    const [from, to] = [query.get('begin_date') ?? '', query.get('end_date') ?? '']
    const all = payments.filter(({ created }) => created >= from && created <= to)
    const offset = Number(query.get('offset'))
    // Of a shop that sells other things as well.
    const results = [...all.map(paymentJson), { id: 7, status: 'approved', transaction_amount: null }]
    return {
      status: 200,
      json: { paging: { total: results.length, limit: 2, offset }, results: results.slice(offset, offset + 2) },
    }
  }

  const create = (body: Record<string, unknown>, key: string) => {
    if (body.payment_method_id !== 'pix' || typeof body.transaction_amount !== 'number')
      return { status: 400, json: { message: 'bad request' } }
    const payment = byKey.get(key) ?? {
      id: 1_000_000_000 + payments.length,
      reference: String(body.external_reference),
      created: new Date().toISOString(),
      amount: body.transaction_amount,
      refunded: 0,
      currency: 'BRL',
      status: 'pending',
      detail: 'pending_waiting_transfer',
      expires: String(body.date_of_expiration),
      email: String((body.payer as { email?: unknown } | undefined)?.email),
    }
    if (!byKey.has(key)) payments.push(payment)
    byKey.set(key, payment)
    return { status: 201, json: paymentJson(payment) }
  }

  const server = await startStandIn(answer)
  const service: MercadoPagoStandIn = {
    url: server.url,
    accessToken: `TEST-${randomBytes(16).toString('hex')}`,
    webhookSecret: randomBytes(32).toString('hex'),
    payments,
    get calls() {
      return calls
    },
    failure: undefined,
    change(reference, change) {
      const payment = payments.find((one) => one.reference === reference)
      if (!payment) throw new Error('no such payment')
      return Object.assign(payment, change)
    },
    notification(
      id,
      { requestId = randomUUID(), secret = service.webhookSecret, at = Date.now(), type = 'payment' } = {},
    ) {
      const v1 = createHmac('sha256', secret)
        .update(`id:${String(id).toLowerCase()};request-id:${requestId};ts:${at};`)
        .digest('hex')
      return {
        query: `?data.id=${id}&type=${type}`,
        body: JSON.stringify({ action: 'payment.updated', api_version: 'v1', data: { id: String(id) }, type }),
        headers: { 'content-type': 'application/json', 'x-request-id': requestId, 'x-signature': `ts=${at},v1=${v1}` },
      }
    },
    close: server.close,
  }
  return service
}

function paymentJson({ id, reference, amount, refunded, currency, status, detail, expires }: PixPayment) {
  return {
    id,
    status,
    status_detail: detail,
    transaction_amount: amount,
    transaction_amount_refunded: refunded,
    currency_id: currency,
    external_reference: reference,
    date_of_expiration: expires,
    point_of_interaction: {
      type: 'OPENPLATFORM',
      transaction_data: { qr_code: `00020126580014br.gov.bcb.pix0136${reference}5204000053039865802BR6304ABCD` },
    },
  }
}
