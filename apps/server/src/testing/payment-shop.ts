import { afterAll, beforeAll, beforeEach } from 'vitest'
import { readEnv } from '../env'
import { CreditEvents } from '../features/credits/public/credit-events'
import { LedgerService } from '../features/credits/public/ledger'
import { createPaymentMethods } from '../features/payments/payment-methods'
import { PaymentService } from '../features/payments/payment-service'
import { MemoryBus } from '../providers/bus/memory-bus'
import { createEgress } from '../providers/egress'
import { buildTestApp, type TestApp } from './build-test-app'
import { aHoldService } from './ledger-people'
import { type MercadoPagoStandIn, startMercadoPago } from './mercado-pago-stand-in'
import { aPerson } from './person'
import { type StripeStandIn, startStripe } from './stripe-stand-in'

type Providers = { stripe: StripeStandIn; pix: MercadoPagoStandIn }
type Options = Providers & {
  kind: 'pglite' | 'postgresql'
  now?: () => number
  env?: Record<string, string>
  keepTables?: boolean
}
export type OrderResponse = {
  id: string
  status: string
  method: string
  payment_url?: string
  pix?: { qr_code: string; tx_info: unknown }
}

const payment = '/api/billing/payment'

/** A server that accepts cards and Pix, and the services of one more node on its database. */
export async function aPaymentShop({ stripe, pix, now = Date.now, ...more }: Options) {
  const env = {
    ALLOW_PAYMENTS_ON_PGLITE: 'true',
    STRIPE_SECRET_KEY: stripe.secretKey,
    STRIPE_WEBHOOK_SECRET: stripe.webhookSecret,
    STRIPE_API_URL: stripe.url,
    MERCADOPAGO_ACCESS_TOKEN: pix.accessToken,
    MERCADOPAGO_WEBHOOK_SECRET: pix.webhookSecret,
    MERCADOPAGO_API_URL: pix.url,
    USD_BRL_RATE: '5.231',
    RATE_LIMIT_SCALE: '0',
    ...more.env,
  }
  const app = await buildTestApp({ ...more, now, env })
  const methods = createPaymentMethods(readEnv({ ...env, DATA_DIR: '.' }), createEgress(), now)
  const deps = { db: app.db, ledger: new LedgerService({ db: app.db, now }), methods, log: app.log, now }
  const payments = new PaymentService({
    ...deps,
    creditEvents: new CreditEvents({ bus: new MemoryBus(), log: app.log }),
  })
  return { app, ledger: deps.ledger, holds: aHoldService(app.db, now), payments, deps: { ...deps, payments } }
}

/** A person who buys credits there. */
export async function aBuyer(app: TestApp, email = 'ana@example.org') {
  const client = await aPerson(app, email)
  return {
    client,
    userId: client.answer.user.id,
    async buy(amount: unknown, method: string, key?: string) {
      const answer = await client.post(payment, { amount, method }, key === undefined ? {} : { 'idempotency-key': key })
      return { ...answer, order: answer.body as OrderResponse }
    },
    credits: async () => ((await client.send('GET', '/api/billing/credit/user')).body as { amount: number }).amount,
    status: async (id: string) => ((await client.send('GET', `${payment}/${id}`)).body as OrderResponse).status,
  }
}

type ShopOptions = Pick<Options, 'kind' | 'now' | 'env' | 'keepTables'>

/**
 * Starts stand-ins of both providers for all tests of a file; none of them fails at the start of a test. Returns them
 * with functions that build a server on them and send their webhooks.
 */
export function usePaymentProviders() {
  let started: Providers | undefined
  const running = (): Providers => {
    if (!started) throw new Error('the providers run only during tests')
    return started
  }
  beforeAll(async () => {
    const [stripe, pix] = await Promise.all([startStripe(), startMercadoPago()])
    started = { stripe, pix }
  })
  afterAll(async () => void (await Promise.all([started?.stripe.close(), started?.pix.close()])))
  beforeEach(() => {
    running().stripe.failure = undefined
    running().pix.failure = undefined
  })
  return {
    get stripe() {
      return running().stripe
    },
    get pix() {
      return running().pix
    },
    aShop: (options: ShopOptions) => aPaymentShop({ ...running(), ...options }),
    fromStripe(app: TestApp, ...event: Parameters<StripeStandIn['event']>): Promise<Response> {
      const { body, headers } = running().stripe.event(...event)
      return app.call('/api/billing/webhooks/stripe', { method: 'POST', body, headers })
    },
    fromMercadoPago(app: TestApp, ...notification: Parameters<MercadoPagoStandIn['notification']>): Promise<Response> {
      const { query, body, headers } = running().pix.notification(...notification)
      return app.call(`/api/billing/webhooks/mercadopago${query}`, { method: 'POST', body, headers })
    },
  }
}
