import { AppError } from '@parley/contract/errors'
import { limits } from '@parley/contract/limits'
import { paymentRoutes, paymentWebhooks } from '@parley/contract/payments'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Db } from '../../db/client'
import { handle } from '../../plugins/handle'
import type { PaymentMails } from './payment-mails'
import type { PaymentService, PaymentWays } from './payment-service'
import { registerReconciliationMetrics } from './reconciliation-metrics'
import type { ReconciliationService } from './reconciliation-service'

type Deps = { db: Db; payments: PaymentService; mails: PaymentMails; reconciliation: ReconciliationService; ways: PaymentWays }

/** Mounts buying credits, what the configured providers call, and the look after payments that nobody calls about. */
export function registerPayments(app: FastifyInstance, { db, payments, mails, reconciliation, ways }: Deps): void {
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

  registerReconciliationMetrics(app, { db, reconciliation, now: Date.now })
  const { sweepEveryMs, reconcileLookMs } = limits.payments
  every(app, { name: 'looking after payments', ms: sweepEveryMs, act: () => payments.sweep() })
  every(app, { name: 'mails of payments', ms: sweepEveryMs, act: async () => mails.sendSoon() })
  every(app, { name: 'reconciliation', ms: reconcileLookMs, act: () => reconciliation.runDue() })
}

/** Their signatures are over the bytes that came, so these routes have parsers of their own. */
function registerWebhooks(app: FastifyInstance, { payments, ways }: Pick<Deps, 'payments' | 'ways'>): void {
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

/** Every node does it; the database shares the work out among them. The end of the app waits for what is under way. */
function every(app: FastifyInstance, { name, ms, act }: { name: string; ms: number; act: () => Promise<void> }): void {
  let acting: Promise<void> | undefined
  const timer = setInterval(() => {
    acting ??= act()
      .catch((error: unknown) => app.log.warn({ err: error }, `${name} failed`))
      .finally(() => {
        acting = undefined
      })
  }, ms)
  timer.unref()
  app.addHook('onClose', async () => {
    clearInterval(timer)
    await acting
  })
}
