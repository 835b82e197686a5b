import { type FaultyProxy, startFaultyProxy } from './faulty-proxy'
import { type MercadoPagoStandIn, startMercadoPago } from './mercado-pago-stand-in'
import { type StripeStandIn, startStripe } from './stripe-stand-in'

export interface PaymentProviders {
  readonly stripe: StripeStandIn
  readonly mercadoPago: MercadoPagoStandIn
  /** Between the server and each of them. */
  readonly proxies: { readonly card: FaultyProxy; readonly pix: FaultyProxy }
  /** Of a server that sells through them. */
  readonly env: Record<string, string>
  close(): Promise<void>
}

/** Both providers, each behind a proxy on which calls can be lost. */
export async function startPaymentProviders(): Promise<PaymentProviders> {
  const [stripe, mercadoPago] = await Promise.all([startStripe(), startMercadoPago()])
  const [card, pix] = await Promise.all([startFaultyProxy(stripe.url), startFaultyProxy(mercadoPago.url)])
  return {
    stripe,
    mercadoPago,
    proxies: { card, pix },
    env: {
      ALLOW_PAYMENTS_ON_PGLITE: 'true',
      STRIPE_SECRET_KEY: stripe.secretKey,
      STRIPE_WEBHOOK_SECRET: stripe.webhookSecret,
      STRIPE_API_URL: card.url,
      MERCADOPAGO_ACCESS_TOKEN: mercadoPago.accessToken,
      MERCADOPAGO_WEBHOOK_SECRET: mercadoPago.webhookSecret,
      MERCADOPAGO_API_URL: pix.url,
      USD_BRL_RATE: '5.231',
      SIGNUP_CREDITS: '0',
      RATE_LIMIT_SCALE: '0',
    },
    async close() {
      await Promise.all([card, pix, stripe, mercadoPago].map((one) => one.close()))
    },
  }
}
