import { AppError } from '@parley/contract/errors'
import { serverLimits } from '@parley/contract/limits/server'
import { paymentRoutes, paymentWebhooks } from '@parley/contract/payments'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Db } from '../../db/client'
import type { Scheduler } from '../../db/scheduler'
import { handle } from '../../plugins/handle'
import type { PaymentMails } from './payment-mails'
import type { PaymentMethods } from './payment-methods'
import type { PaymentService } from './payment-service'
import type { ReconciliationService } from './public/reconciliation'
import { registerReconciliationMetrics } from './reconciliation-metrics'

type Deps = {
  db: Db
  payments: PaymentService
  mails: PaymentMails
  reconciliation: ReconciliationService
  methods: PaymentMethods
  scheduler: Scheduler
}

/** Mounts the routes of payments and the webhooks of the configured providers, and schedules the periodic jobs. */
export function registerPaymentRoutes(
  app: FastifyInstance,
  { db, payments, mails, reconciliation, methods, scheduler }: Deps,
): void {
  const person = { permission: 'person' } as const

  handle(app, paymentRoutes.list, person, async ({ person: { userId } }) => ({ data: await payments.list(userId) }))
  handle(app, paymentRoutes.get, person, ({ person: { userId }, params }) => payments.get(userId, params.id))
  handle(
    app,
    paymentRoutes.checkPix,
    { ...person, perMinute: serverLimits.payments.checksPerMinute },
    ({ person: { userId }, params }) => payments.checkPix(userId, params.id),
  )
  handle(
    app,
    paymentRoutes.create,
    { ...person, perMinute: serverLimits.payments.createsPerMinute },
    ({ person: { userId }, body, request }) => payments.start(userId, { ...body, key: idempotencyKey(request) }),
  )
  handle(
    app,
    paymentRoutes.reportTransfer,
    { ...person, perMinute: serverLimits.payments.checksPerMinute },
    ({ person: { userId }, params, body }) => payments.reportTransfer(userId, params.id, body.hash),
  )
  registerWebhooks(app, { payments, methods })

  registerReconciliationMetrics(app, { db, reconciliation, now: Date.now })
  const { sweepEveryMs, reconcileLookMs } = serverLimits.payments
  scheduler.every('payments.sweep', { everyMs: sweepEveryMs, run: () => payments.sweep() })
  scheduler.every('payments.mail', { everyMs: sweepEveryMs, run: () => mails.sendDue() })
  scheduler.every('payments.reconcile', { everyMs: reconcileLookMs, run: () => reconciliation.runDue() })
}

/** A webhook's signature covers the raw body, so these routes do not parse it. */
function registerWebhooks(app: FastifyInstance, { payments, methods }: Pick<Deps, 'payments' | 'methods'>): void {
  const calls = { permission: 'anyone', perMinute: serverLimits.payments.webhooksPerMinute } as const
  app.register(async (raw) => {
    raw.removeAllContentTypeParsers()
    raw.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    if (methods.card)
      handle(raw, paymentWebhooks.stripe, calls, async ({ request }) => {
        await payments.receiveWebhook('stripe', webhookOf(request))
        return { received: true as const }
      })
    if (methods.pix)
      handle(raw, paymentWebhooks.mercadopago, calls, async ({ request }) => {
        await payments.receiveWebhook('mercadopago', webhookOf(request))
        return { received: true as const }
      })
  })
}

function webhookOf({ body, headers, url }: FastifyRequest) {
  return {
    raw: Buffer.isBuffer(body) ? body : Buffer.alloc(0),
    headers,
    query: new URLSearchParams(url.split('?')[1] ?? ''),
  }
}

/** Undefined if the header is missing: then a repeated call starts a second payment. */
function idempotencyKey({ headers }: FastifyRequest): string | undefined {
  const key = headers['idempotency-key']
  if (key === undefined) return undefined
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,200}$/.test(key))
    throw new AppError('validation', {
      issues: [{ path: 'Idempotency-Key', message: 'must have 1 to 200 visible characters' }],
    })
  return key
}
