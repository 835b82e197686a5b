import { createHmac, timingSafeEqual } from 'node:crypto'
import { limits } from '@parley/contract/limits'
import { formatCents, parseCents } from '@parley/contract/money'
import { product } from '@parley/contract/product'
import * as z from 'zod/mini'
import type { Egress } from '../egress'
import { type PaymentProvider, ProviderError, type ProviderPayment } from './payment-provider'

type Options = { accessToken: string; webhookSecret: string; apiUrl: string | undefined; publicUrl: string; egress: Egress; now: () => number }

const nullish = <S extends z.core.$ZodType>(schema: S) => z.optional(z.nullable(schema))

/** What we need to know of a payment of Mercado Pago. */
const Answer = z.object({
  id: z.union([z.number(), z.string()]),
  status: z.string(),
  status_detail: nullish(z.string()),
  transaction_amount: z.number(),
  transaction_amount_refunded: nullish(z.number()),
  currency_id: z.string(),
  external_reference: nullish(z.string()),
  point_of_interaction: nullish(z.object({ transaction_data: nullish(z.object({ qr_code: nullish(z.string()) })) })),
})
type Answer = z.infer<typeof Answer>
type Call = { method?: 'POST'; body?: string; headers?: Record<string, string> }

const Found = z.object({ results: z.array(z.unknown()), paging: z.object({ total: z.number() }) })

/** It refuses codes that are good for less than half an hour, by its own clock. */
const slackMs = 60_000
const dayMs = 86_400_000

/** Pix, through Mercado Pago. */
export function createPix({ accessToken, webhookSecret, apiUrl = 'https://api.mercadopago.com', publicUrl, egress, now }: Options): PaymentProvider {
  const service = egress.service({ baseUrl: apiUrl, headers: { authorization: `Bearer ${accessToken}` } })
  const call = async <S extends z.ZodMiniType>(schema: S, path: string, more: Call = {}): Promise<z.infer<S>> => {
    const response = await service(path, { ...more, signal: AbortSignal.timeout(limits.payments.providerMs) }).catch(() => {
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
      const answer = await call(Answer, '/v1/payments', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-idempotency-key': paymentId },
        body: JSON.stringify({
          payment_method_id: 'pix',
          // Their API has a number here: its shortest text is the amount again.
          transaction_amount: Number(formatCents(cents)),
          description: `${product.name} credits`,
          external_reference: paymentId,
          date_of_expiration: new Date(expiresAt.getTime() + slackMs).toISOString(),
          // They want an address of everybody; wallets have none.
          payer: { email: email ?? `${paymentId}@${new URL(publicUrl).hostname}` },
        }),
      })
      const qrCode = answer.point_of_interaction?.transaction_data?.qr_code
      if (!qrCode) throw new ProviderError('Mercado Pago', 200, 'no code')
      return { providerId: String(answer.id), qrCode }
    },

    async find(providerId) {
      try {
        return paymentOf(await call(Answer, `/v1/payments/${encodeURIComponent(providerId)}`))
      } catch (error) {
        if (error instanceof ProviderError && error.status === 404) return undefined
        throw error
      }
    },

    async *list(since) {
      // Their clock may be ahead of ours.
      const until = new Date(now() + dayMs)
      const range = `range=date_created&begin_date=${since.toISOString()}&end_date=${until.toISOString()}&sort=date_created&criteria=asc`
      for (let offset = 0, total = 1; offset < total; ) {
        const page = await call(Found, `/v1/payments/search?${range}&limit=100&offset=${offset}`)
        for (const result of page.results) {
          // What is not ours may look otherwise.
          const { data } = z.safeParse(Answer, result)
          if (data) yield { ...paymentOf(data), providerId: String(data.id) }
        }
        total = page.results.length === 0 ? 0 : page.paging.total
        offset += page.results.length
      }
    },

    /** Signed are the payment's id, the request's and the time, not the body: nothing in it is read. A repetition is harmless, for the state is asked for. */
    readNotice({ headers, query }) {
      const id = query.get('data.id') ?? ''
      const requestId = headers['x-request-id']
      const signature = headers['x-signature']
      if (typeof requestId !== 'string' || typeof signature !== 'string' || !/^\w{1,64}$/.test(id)) return undefined
      const { ts = '', v1 = '' } = partsOf(signature)
      const expected = createHmac('sha256', webhookSecret).update(`id:${id.toLowerCase()};request-id:${requestId};ts:${ts};`).digest()
      const given = Buffer.from(v1, 'hex')
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined
      // Milliseconds, or seconds in some of their examples.
      if (!/^\d{1,16}$/.test(ts)) return undefined
      const sent = Number(ts) < 1e12 ? Number(ts) * 1_000 : Number(ts)
      const ageMs = now() - sent
      if (ageMs > limits.payments.lateNoticeDays * dayMs || -ageMs > limits.payments.providerClockMs) return undefined
      const isPayment = (query.get('type') ?? query.get('topic') ?? 'payment') === 'payment'
      return { eventId: `${requestId}:${id}`.slice(0, 200), locate: async () => (isPayment ? id : undefined) }
    },
  }
}

function paymentOf(answer: Answer): ProviderPayment {
  return {
    paymentId: answer.external_reference ?? undefined,
    status: statusOf(answer),
    received: parseCents(answer.transaction_amount) ?? 0n,
    returned: returnedOf(answer),
    currency: answer.currency_id.toLowerCase(),
    transactionId: String(answer.id),
  }
}

/** Of a dispute that was won they say `reimbursed`. */
function returnedOf({ status, status_detail: detail, transaction_amount: amount, transaction_amount_refunded: refunded }: Answer): bigint {
  const isGone = status === 'refunded' || (status === 'charged_back' && detail !== 'reimbursed')
  return parseCents(isGone ? amount : (refunded ?? 0)) ?? 0n
}

function statusOf({ status, status_detail: detail }: Answer): ProviderPayment['status'] {
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
