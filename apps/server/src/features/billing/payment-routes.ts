import { AppError } from '@parley/contract/errors'
import { limits } from '@parley/contract/limits'
import { paymentRoutes, paymentWebhooks } from '@parley/contract/payments'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { handle } from '../../plugins/handle'
import type { PaymentService, PaymentWays } from './payment-service'

type Deps = { payments: PaymentService; ways: PaymentWays }

/** Mounts buying credits, what the configured providers call, and the look after payments that nobody calls about. */
export function registerPayments(app: FastifyInstance, { payments, ways }: Deps): void {
  const person = { permission: 'person' } as const

  handle(app, paymentRoutes.list, person, async ({ person: { userId } }) => ({ data: await payments.list(userId) }))
  handle(app, paymentRoutes.get, person, ({ person: { userId }, params }) => payments.get(userId, params.id))
  handle(app, paymentRoutes.checkPix, { ...person, perMinute: limits.payments.checksPerMinute }, ({ person: { userId }, params }) =>
    payments.checkPix(userId, params.id),
  )
  handle(app, paymentRoutes.create, { ...person, perMinute: limits.payments.createsPerMinute }, ({ person: { userId }, body, request }) =>
    payments.start(userId, { ...body, key: idempotencyKey(request) }),
  )
  handle(app, paymentRoutes.reportTransfer, { ...person, perMinute: limits.payments.checksPerMinute }, ({ person: { userId }, params, body }) =>
    payments.reportTransfer(userId, params.id, body.hash),
  )
  registerWebhooks(app, { payments, ways })

  const stopSweeper = startSweeper(app, payments)
  app.addHook('onClose', () => stopSweeper())
}

/** Their signatures are over the bytes that came, so these routes have parsers of their own. */
function registerWebhooks(app: FastifyInstance, { payments, ways }: Deps): void {
  const calls = { permission: 'anyone', perMinute: limits.payments.webhooksPerMinute } as const
  app.register(async (raw) => {
    raw.removeAllContentTypeParsers()
    raw.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    if (ways.card)
      handle(raw, paymentWebhooks.stripe, calls, async ({ request }) => {
        await payments.notice('stripe', noticeOf(request))
        return { received: true as const }
      })
    if (ways.pix)
      handle(raw, paymentWebhooks.mercadopago, calls, async ({ request }) => {
        await payments.notice('mercadopago', noticeOf(request))
        return { received: true as const }
      })
  })
}

function noticeOf({ body, headers, url }: FastifyRequest) {
  return { raw: Buffer.isBuffer(body) ? body : Buffer.alloc(0), headers, query: new URLSearchParams(url.split('?')[1] ?? '') }
}

/** Undefined without one: the call still works, unprotected from being made twice. */
function idempotencyKey({ headers }: FastifyRequest): string | undefined {
  const key = headers['idempotency-key']
  if (key === undefined) return undefined
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,200}$/.test(key))
    throw new AppError('validation', { issues: [{ path: 'Idempotency-Key', message: 'must have 1 to 200 visible characters' }] })
  return key
}

/** Every node looks; the database shares the payments out among them. Returns the end of it, which waits for the look under way. */
function startSweeper(app: FastifyInstance, payments: PaymentService): () => Promise<void> {
  let sweeping: Promise<void> | undefined
  const timer = setInterval(() => {
    sweeping ??= payments
      .sweep()
      .catch((error: unknown) => app.log.warn({ err: error }, 'looking after payments failed'))
      .finally(() => {
        sweeping = undefined
      })
  }, limits.payments.sweepEveryMs)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await sweeping
  }
}
