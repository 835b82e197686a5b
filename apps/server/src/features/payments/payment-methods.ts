import type { Rate } from '@parley/contract/money'
import type { Env } from '../../env'
import type { Egress } from '../../providers/egress'
import { createCard } from '../../providers/payments/card'
import type { PaymentProvider } from '../../providers/payments/payment-provider'
import { createPix } from '../../providers/payments/pix'
import { createTokenChain, type TokenChain } from '../../providers/payments/token'

/** What the operator configured; a method that is absent is not offered. */
export type PaymentMethods = {
  card?: { provider: PaymentProvider }
  pix?: { provider: PaymentProvider; rate: Rate }
  token?: { chain: TokenChain; chainId: number; token: string; treasury: string; price: Rate }
}

/** The payment methods that the environment configures. */
export function createPaymentMethods(env: Env, egress: Egress, now: () => number): PaymentMethods {
  const { publicUrl } = env
  const { stripe, mercadoPago, token } = env.payments
  return {
    ...(stripe ? { card: { provider: createCard({ ...stripe, publicUrl, egress, now }) } } : {}),
    ...(mercadoPago
      ? { pix: { provider: createPix({ ...mercadoPago, publicUrl, egress, now }), rate: mercadoPago.rate } }
      : {}),
    ...(token
      ? { token: { ...token, chain: createTokenChain({ egress, rpcUrl: token.rpcUrl, chainId: token.chainId }) } }
      : {}),
  }
}
