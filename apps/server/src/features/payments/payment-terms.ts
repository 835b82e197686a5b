import type { PaymentOffer } from '@parley/contract/config'
import { AppError, type ErrorCode } from '@parley/contract/errors'
import { serverLimits } from '@parley/contract/limits/server'
import { limits } from '@parley/contract/limits/shared'
import { centsAt, formatRate, type Nano, toCents, tokensAt } from '@parley/contract/money'
import type { PaymentMethod } from '@parley/contract/payments'
import type { FastifyBaseLogger } from 'fastify'
import { parseUnits } from 'viem'
import type { TokenChain } from '../../providers/payments/token'
import type { PaymentMethods } from './payment-methods'
import type { PaymentRow } from './payment-store'

export type PaymentTerms = Pick<PaymentRow, 'amountDue' | 'currency' | 'rate' | 'terms' | 'expiresAt'>

/** The error of a method whose provider refused to start a payment. */
export const startErrors = {
  pix: 'payment.pix-failed',
  card: 'payment.card-failed',
  token: 'payment.token-unavailable',
} as const satisfies Record<PaymentMethod, ErrorCode>

const minuteMs = 60_000

/** What a client needs to know to offer these methods. */
export function paymentOffer({ card, pix, token }: PaymentMethods): PaymentOffer {
  return {
    methods: [
      ...(pix ? (['pix'] as const) : []),
      ...(card ? (['card'] as const) : []),
      ...(token ? (['token'] as const) : []),
    ],
    minDollars: limits.payments.minDollars,
    maxDollars: limits.payments.maxDollars,
    ...(pix ? { usdBrlRate: formatRate(pix.rate) } : {}),
    ...(token ? { aizUsdPrice: formatRate(token.price), chainId: token.chainId } : {}),
  }
}

/**
 * The amount due in the method's own currency at the current rate, and when the payment expires. Throws
 * payment.method-unavailable and payment.token-unavailable.
 */
export async function paymentTerms(
  methods: PaymentMethods,
  { method, amount, at, log }: { method: PaymentMethod; amount: Nano; at: Date; log: FastifyBaseLogger },
): Promise<PaymentTerms> {
  const { card, pix, token } = methods
  const expiresIn = (minutes: number): Date => new Date(at.getTime() + minutes * minuteMs)
  const { pixMinutes, cardHours, tokenMinutes } = serverLimits.payments
  if (method === 'card' && card)
    return {
      amountDue: toCents(amount) ?? 0n,
      currency: 'usd',
      rate: null,
      terms: null,
      expiresAt: expiresIn(cardHours * 60),
    }
  if (method === 'pix' && pix)
    return {
      amountDue: centsAt(amount, pix.rate),
      currency: 'brl',
      rate: formatRate(pix.rate),
      terms: null,
      expiresAt: expiresIn(pixMinutes),
    }
  if (method !== 'token' || !token) throw new AppError('payment.method-unavailable')
  const { chainId, price, treasury } = token
  const aizAmount = tokensAt(amount, price)
  return {
    amountDue: parseUnits(aizAmount, await decimalsOf(token.chain, token.token, log)),
    currency: 'aiz',
    rate: formatRate(price),
    terms: { chainId, token: token.token, treasury, aizAmount },
    expiresAt: expiresIn(tokenMinutes),
  }
}

async function decimalsOf(chain: TokenChain, token: string, log: FastifyBaseLogger): Promise<number> {
  try {
    return await chain.decimals(token)
  } catch (error) {
    log.error({ err: error }, 'the chain cannot be read')
    throw new AppError(startErrors.token, { cause: error })
  }
}
