import type { Env } from '../../env'
import type { Egress } from '../../providers/egress'
import { createCard } from '../../providers/payments/card'
import { createPix } from '../../providers/payments/pix'
import { createTokenChain } from '../../providers/payments/token'
import type { PaymentWays } from './payment-service'

/** The ways to pay that the environment configures. */
export function paymentWays(env: Env, egress: Egress, now: () => number): PaymentWays {
  const { publicUrl } = env
  const { stripe, mercadoPago, token } = env.payments
  return {
    ...(stripe ? { card: { provider: createCard({ ...stripe, publicUrl, egress, now }) } } : {}),
    ...(mercadoPago ? { pix: { provider: createPix({ ...mercadoPago, publicUrl, egress, now }), rate: mercadoPago.rate } } : {}),
    ...(token ? { token: { ...token, chain: createTokenChain({ egress, rpcUrl: token.rpcUrl, chainId: token.chainId }) } } : {}),
  }
}
