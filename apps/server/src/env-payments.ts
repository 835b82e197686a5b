import { parseRate, type Rate } from '@parley/contract/money'
import type { GivenVariables } from './env-variables'

/** The variables of each payment method. A method with only some of them could receive money unnoticed. */
const methodVariables = [
  ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'],
  ['MERCADOPAGO_ACCESS_TOKEN', 'MERCADOPAGO_WEBHOOK_SECRET', 'USD_BRL_RATE'],
  // Sign-in with contract wallets uses BASE_RPC_URL too, so that alone is no configured payment method.
  ['AIZ_TREASURY_ADDRESS', 'AIZ_TOKEN_ADDRESS', 'AIZ_USD_PRICE', 'BASE_RPC_URL'],
] as const

/** The errors in the variables of payment methods. */
export function paymentErrors(given: GivenVariables): string[] {
  const missing = methodVariables.flatMap(([first, ...others]) =>
    given[first] === undefined
      ? []
      : others.filter((name) => given[name] === undefined).map((name) => `${first} needs ${name}`),
  )
  const badRates = ['USD_BRL_RATE', 'AIZ_USD_PRICE'].filter(
    (name) => given[name] !== undefined && parseRate(given[name]) === undefined,
  )
  return [...missing, ...badRates.map((name) => `${name} must be above 0, with at most 18 decimals`)]
}

/** The configured payment methods, of variables without errors. */
export function paymentsOf(given: GivenVariables) {
  const {
    STRIPE_SECRET_KEY: secretKey,
    STRIPE_WEBHOOK_SECRET: stripeSecret,
    MERCADOPAGO_ACCESS_TOKEN: accessToken,
  } = given
  const {
    MERCADOPAGO_WEBHOOK_SECRET: pixSecret,
    AIZ_TOKEN_ADDRESS: token,
    AIZ_TREASURY_ADDRESS: treasury,
    BASE_RPC_URL: rpcUrl,
  } = given
  const rate: Rate | undefined = parseRate(given.USD_BRL_RATE)
  const price: Rate | undefined = parseRate(given.AIZ_USD_PRICE)
  return {
    stripe:
      secretKey && stripeSecret ? { secretKey, webhookSecret: stripeSecret, apiUrl: given.STRIPE_API_URL } : undefined,
    mercadoPago:
      accessToken && pixSecret && rate
        ? { accessToken, webhookSecret: pixSecret, apiUrl: given.MERCADOPAGO_API_URL, rate }
        : undefined,
    token:
      token && treasury && rpcUrl && price
        ? {
            token: token.toLowerCase(),
            treasury: treasury.toLowerCase(),
            rpcUrl,
            price,
            chainId: Number(given.BASE_CHAIN_ID ?? 8453),
          }
        : undefined,
  }
}
