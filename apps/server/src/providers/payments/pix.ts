import { createHmac, timingSafeEqual } from 'node:crypto'
import { serverLimits } from '@parley/contract/limits/server'
import { formatCents, parseCents } from '@parley/contract/money'
import { product } from '@parley/contract/product'
import * as z from 'zod/mini'
import type { Egress } from '../egress'
import { type PaymentProvider, ProviderError, type ProviderPayment } from './payment-provider'

type Options = {
  accessToken: string
  webhookSecret: string
  apiUrl: string | undefined
  publicUrl: string
  egress: Egress
  now: () => number
}

const nullish = <S extends z.core.$ZodType>(schema: S) => z.optional(z.nullable(schema))

/** A payment of Mercado Pago, as far as we read it. */
const MercadoPagoPayment = z.object({
  id: z.union([z.number(), z.string()]),
  status: z.string(),
  status_detail: nullish(z.string()),
  transaction_amount: z.number(),
  transaction_amount_refunded: nullish(z.number()),
  currency_id: z.string(),
  external_reference: nullish(z.string()),
  point_of_interaction: nullish(z.object({ transaction_data: nullish(z.object({ qr_code: nullish(z.string()) })) })),
})
type MercadoPagoPayment = z.infer<typeof MercadoPagoPayment>
type Call = { method?: 'POST'; body?: string; headers?: Record<string, string> }

const SearchResult = z.object({ results: z.array(z.unknown()), paging: z.object({ total: z.number() }) })

/** Mercado Pago refuses codes that expire in less than half an hour by its own clock. */
const slackMs = 60_000
const dayMs = 86_400_000

/** Pix, through Mercado Pago. */
export function createPix({
  accessToken,
  webhookSecret,
  apiUrl = 'https://api.mercadopago.com',
  publicUrl,
  egress,
  now,
}: Options): PaymentProvider {
  const service = egress.service({ baseUrl: apiUrl, headers: { authorization: `Bearer ${accessToken}` } })
  const call = async <S extends z.ZodMiniType>(schema: S, path: string, more: Call = {}): Promise<z.infer<S>> => {
    const response = await service(path, {
      ...more,
      signal: AbortSignal.timeout(serverLimits.payments.providerMs),
    }).catch(() => {
      throw new ProviderError('Mercado Pago', undefined)
    })
    const text = await response.text().catch(() => {
      throw new ProviderError('Mercado Pago', undefined)
    })
    if (!response.isOk) throw new ProviderError('Mercado Pago', response.status)
    const answer = z.safeParse(schema, jsonOf(text))
    if (!answer.success) throw new ProviderError('Mercado Pago', response.status, 'not understood')
    return answer.data
  }

  return {
    async start({ paymentId, cents, email, expiresAt }) {
      const answer = await call(MercadoPagoPayment, '/v1/payments', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-idempotency-key': paymentId },
        body: JSON.stringify({
          payment_method_id: 'pix',
          // The API wants a number, which is sent with its shortest decimal form: the same amount.
          transaction_amount: Number(formatCents(cents)),
          description: `${product.name} credits`,
          external_reference: paymentId,
          date_of_expiration: new Date(expiresAt.getTime() + slackMs).toISOString(),
          // An address is required; wallet accounts have none.
          payer: { email: email ?? `${paymentId}@${new URL(publicUrl).hostname}` },
        }),
      })
      const qrCode = answer.point_of_interaction?.transaction_data?.qr_code
      if (!qrCode) throw new ProviderError('Mercado Pago', 200, 'no code')
      return { providerId: String(answer.id), qrCode }
    },

    async find(providerId) {
      try {
        return paymentOf(await call(MercadoPagoPayment, `/v1/payments/${encodeURIComponent(providerId)}`))
      } catch (error) {
        if (error instanceof ProviderError && error.status === 404) return undefined
        throw error
      }
    },

    async *list(since) {
      // The provider's clock may be ahead of ours.
      const until = new Date(now() + dayMs)
      const range = `range=date_created&begin_date=${since.toISOString()}&end_date=${until.toISOString()}&sort=date_created&criteria=asc`
      for (let offset = 0, total = 1; offset < total; ) {
        const page = await call(SearchResult, `/v1/payments/search?${range}&limit=100&offset=${offset}`)
        for (const result of page.results) {
          // Payments that are not ours may have another shape.
          const { data } = z.safeParse(MercadoPagoPayment, result)
          if (data) yield { ...paymentOf(data), providerId: String(data.id) }
        }
        total = page.results.length === 0 ? 0 : page.paging.total
        offset += page.results.length
      }
    },

    /**
     * The signature covers the ids of payment and request and the time, but not the body, which is therefore ignored. A
     * replay is harmless, because the state is fetched.
     */
    readWebhook({ headers, query }) {
      const id = query.get('data.id') ?? ''
      const requestId = headers['x-request-id']
      const signature = headers['x-signature']
      if (typeof requestId !== 'string' || typeof signature !== 'string' || !/^\w{1,64}$/.test(id)) return undefined
      const { ts = '', v1 = '' } = partsOf(signature)
      const expected = createHmac('sha256', webhookSecret)
        .update(`id:${id.toLowerCase()};request-id:${requestId};ts:${ts};`)
        .digest()
      const given = Buffer.from(v1, 'hex')
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined
      // Milliseconds, or seconds as in some examples of the API's documentation.
      if (!/^\d{1,16}$/.test(ts)) return undefined
      const sent = Number(ts) < 1e12 ? Number(ts) * 1_000 : Number(ts)
      const ageMs = now() - sent
      if (ageMs > serverLimits.payments.lateNoticeDays * dayMs || -ageMs > serverLimits.payments.providerClockMs)
        return undefined
      const isPayment = (query.get('type') ?? query.get('topic') ?? 'payment') === 'payment'
      return { eventId: `${requestId}:${id}`.slice(0, 200), findPayment: async () => (isPayment ? id : undefined) }
    },
  }
}

function paymentOf(answer: MercadoPagoPayment): ProviderPayment {
  return {
    paymentId: answer.external_reference ?? undefined,
    status: statusOf(answer),
    received: parseCents(answer.transaction_amount) ?? 0n,
    refunded: refundedOf(answer),
    currency: answer.currency_id.toLowerCase(),
    transactionId: String(answer.id),
  }
}

/** `reimbursed` is the detail of a dispute that we have won. */
function refundedOf({
  status,
  status_detail: detail,
  transaction_amount: amount,
  transaction_amount_refunded: refunded,
}: MercadoPagoPayment): bigint {
  const isAll = status === 'refunded' || (status === 'charged_back' && detail !== 'reimbursed')
  return parseCents(isAll ? amount : (refunded ?? 0)) ?? 0n
}

function statusOf({ status, status_detail: detail }: MercadoPagoPayment): ProviderPayment['status'] {
  if (status === 'approved' || status === 'refunded' || status === 'charged_back') return 'completed'
  if (status === 'cancelled') return detail === 'expired' ? 'expired' : 'failed'
  return status === 'rejected' ? 'failed' : 'pending'
}

/** `ts=1704908010,v1=618c…` */
function partsOf(signature: string): Partial<Record<string, string>> {
  return Object.fromEntries(
    signature.split(',').map((part) => {
      const [name = '', value = ''] = part.split('=')
      return [name.trim(), value.trim()]
    }),
  )
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
