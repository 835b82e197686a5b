import type { ContextMessage, Message } from '@parley/contract/chat'
import type { PublicConfig } from '@parley/contract/config'
import { contextOf } from '@parley/contract/context'
import type { ContextPlan } from '@parley/contract/context-plan'
import { limits } from '@parley/contract/limits/shared'
import { webLimits } from '@parley/contract/limits/web'
import type { Model } from '@parley/contract/models'
import { charge, costOf, dollars, type Nano, noMoney, parseMarkup, parsePrices, plus } from '@parley/contract/money'
import { roomForSearch } from '@parley/contract/sent-sources'
import { estimateTokensOf } from '@parley/contract/token-estimate'

/** The tokens of the chat's context that the next question would send. */
export const contextTokensOf = (messages: readonly Message[]): number => estimateTokensOf(contextOf(messages))

type EstimateInput = {
  draft: string
  contextTokens: number
  model: Pick<Model, 'pricing' | 'free'>
  markup: PublicConfig['creditMarkup']
  /** Of the search of the web that the question asks for; undefined without one. */
  searchPrice?: Nano | undefined
}

/** The likely cost of the answer to a draft where it is high; undefined where it is low, free, or not predictable. */
export function expensiveEstimate({
  draft,
  contextTokens,
  model,
  markup: written = '1',
  searchPrice,
}: EstimateInput): Nano | undefined {
  const question: ContextMessage = { role: 'user', content: draft.trim() }
  const prices = parsePrices(model.pricing)
  const markup = parseMarkup(written)
  if (model.free || question.content === '' || prices === undefined || markup === undefined) return undefined
  const tokens = {
    inputTokens: contextTokens + estimateTokensOf([question]) + searchTokens(searchPrice),
    outputTokens: webLimits.credits.likelyOutputTokens,
  }
  const cost = plus(charge(costOf(tokens, prices), markup), searchPrice ?? noMoney)
  return cost >= dollars(webLimits.credits.expensiveDollars) ? cost : undefined
}

/** What a search adds to the prompt, where there is one. */
const searchTokens = (searchPrice: Nano | undefined, windowTokens?: number): number =>
  searchPrice === undefined ? 0 : roomForSearch(windowTokens ?? Number.POSITIVE_INFINITY)

/** A model may count twice as many tokens in a prompt as is likely: so many are held. */
const mostOfLikely = 2

/**
 * The most that the answer to a planned question can cost, for somebody who can pay for the longest one; undefined
 * where nothing is charged, or no price is known.
 */
export function mostCost(
  { usedTokens, window }: Pick<ContextPlan, 'usedTokens' | 'window'>,
  { pricing, free, maxOutputTokens }: Pick<Model, 'pricing' | 'free' | 'maxOutputTokens'>,
  { markup: written = '1', wanted, searchPrice }: Prices,
): Nano | undefined {
  // A search costs the same whatever the model.
  const beside = searchPrice === undefined || searchPrice === noMoney ? undefined : searchPrice
  if (free) return beside
  const prices = parsePrices(pricing)
  const markup = parseMarkup(written)
  if (prices === undefined || markup === undefined) return undefined
  const promptTokens = usedTokens - window.answer + searchTokens(searchPrice, window.tokens)
  const { mostOutputTokens } = limits.credits
  const longest = wanted ?? Math.min(mostOutputTokens, maxOutputTokens ?? mostOutputTokens)
  const outputTokens = Math.min(longest, window.tokens - promptTokens)
  const tokens = { inputTokens: mostOfLikely * promptTokens, outputTokens: Math.max(0, outputTokens) }
  return plus(charge(costOf(tokens, prices), markup), beside ?? noMoney)
}

/** `wanted`: the length that the chat asks for. `searchPrice`: of the question's search; undefined without one. */
type Prices = {
  markup: PublicConfig['creditMarkup']
  wanted: number | undefined
  searchPrice?: Nano | undefined
}
