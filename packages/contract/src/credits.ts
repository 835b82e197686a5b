import * as z from 'zod/mini'
import { limits } from './limits/shared'
import { DollarText, dollars, type Nano } from './money'
import { route } from './route'

/**
 * A person's credits in dollars. What answers that are being written may cost is still in it: it goes when they end.
 * The one amount that is a number in JSON.
 */
export const Credit = z.object({ amount: z.number() })
export type Credit = z.infer<typeof Credit>

/** Bought before there were credits (ISO 8601 UTC). */
export const SubscriptionPeriod = z.object({
  current_period_start: z.string(),
  current_period_end: z.string(),
  product_name: z.string(),
})
export type SubscriptionPeriod = z.infer<typeof SubscriptionPeriod>

/** grant: given by the operator or at sign-up. settle: an answer. refund: a payment that was given back. */
export const creditKinds = ['grant', 'purchase', 'settle', 'refund'] as const

/** One movement of a person's credits. */
export const CreditMovement = z.object({
  id: z.string(),
  /** ISO 8601 UTC */
  time: z.string(),
  kind: z.enum(creditKinds),
  /** Below zero where credits went. */
  amount: DollarText,
  /** After it. */
  balance: DollarText,
  /** Of an answer: its message and model, and its tokens where they are known. */
  messageId: z.optional(z.string()),
  model: z.optional(z.string()),
  inputTokens: z.optional(z.number()),
  outputTokens: z.optional(z.number()),
})
export type CreditMovement = z.infer<typeof CreditMovement>

/** What the answers of one model cost on one day. */
export const DaySpending = z.object({
  /** `2026-11-22`, in the time zone that was asked for. */
  day: z.iso.date(),
  model: z.string(),
  amount: DollarText,
  answers: z.int(),
})
export type DaySpending = z.infer<typeof DaySpending>

const wholeNumber = (from: number, to: number) => z.coerce.number().check(z.int(), z.minimum(from), z.maximum(to))

/** Everything here is about whoever is signed in; nobody can ask about somebody else. */
export const creditRoutes = {
  credit: route({
    method: 'GET',
    path: '/api/billing/credit/user',
    response: Credit,
    summary: 'The credits of the signed-in person',
  }),
  history: route({
    method: 'GET',
    path: '/api/billing/credit/history',
    query: z.object({
      page: z._default(wholeNumber(0, 100_000), 0),
      size: z._default(wholeNumber(1, limits.credits.maxHistoryPage), limits.credits.historyPage),
    }),
    response: z.object({ data: z.array(CreditMovement), page: z.number(), size: z.number(), total: z.number() }),
    summary: 'How the credits of the signed-in person came and went, newest first',
  }),
  spending: route({
    method: 'GET',
    path: '/api/billing/credit/spending',
    query: z.object({
      days: z._default(wholeNumber(1, limits.credits.maxSpendingDays), limits.credits.spendingDays),
      /** An IANA name: where the person's days begin. */
      timeZone: z._default(z.string().check(z.refine(isTimeZone, 'must be the name of a time zone')), 'UTC'),
    }),
    /**
     * Oldest day first; days and models without answers that cost something are left out. `from` and `to` are the first
     * and the last day.
     */
    response: z.object({ from: z.iso.date(), to: z.iso.date(), data: z.array(DaySpending) }),
    summary: 'What the answers of the last days cost the signed-in person, by day and model',
  }),
  subscription: route({
    method: 'GET',
    path: '/api/billing/subscription/user',
    response: SubscriptionPeriod,
    summary: 'The running subscription of the signed-in person; 404 without one',
  }),
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

/** Until the end of its period; then credits apply. */
export function isSubscriptionActive(
  { current_period_end }: Pick<SubscriptionPeriod, 'current_period_end'>,
  now: number,
): boolean {
  return Date.parse(current_period_end) > now
}

const dayMs = 86_400_000

/** A month is up to 31 days long: what is longer was bought for a year. */
export function planOf({
  current_period_start,
  current_period_end,
}: Omit<SubscriptionPeriod, 'product_name'>): 'annual' | 'monthly' {
  return Date.parse(current_period_end) - Date.parse(current_period_start) > limits.credits.longestMonthDays * dayMs
    ? 'annual'
    : 'monthly'
}

/** What somebody must have to send a message. */
export const leastToSend = dollars(limits.credits.leastDollarsToSend)

/** Whether a message may be sent to a model that is not free. The server decides; a client only asks itself first. */
export function hasEnoughCredits({
  isWeb3,
  isSubscribed,
  amount,
}: {
  isWeb3: boolean
  isSubscribed: boolean
  amount: Nano | undefined
}): boolean {
  return isWeb3 || isSubscribed || (amount !== undefined && amount >= leastToSend)
}
