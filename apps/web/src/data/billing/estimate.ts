import { type ContextMessage, contextOf, type Message } from '@parley/contract/chat'
import type { PublicConfig } from '@parley/contract/config'
import { limits } from '@parley/contract/limits'
import type { Model } from '@parley/contract/models'
import { charge, costOf, dollars, type Nano, parseMarkup, parsePrices } from '@parley/contract/money'
import { estimateTokensOf } from '@parley/contract/token-estimate'

/** How many tokens of a chat would go along with the next question. */
export const tokensSaid = (messages: readonly Message[]): number => estimateTokensOf(contextOf(messages))

type Asking = { draft: string; saidTokens: number; model: Pick<Model, 'pricing' | 'free'>; markup: PublicConfig['creditMarkup'] }

/** What the answer to a draft is likely to cost, where that is much; undefined where it is little, free, or depends on what is asked. */
export function expensiveEstimate({ draft, saidTokens, model, markup: written = '1' }: Asking): Nano | undefined {
  const question: ContextMessage = { role: 'user', content: draft.trim() }
  const prices = parsePrices(model.pricing)
  const markup = parseMarkup(written)
  if (model.free || question.content === '' || prices === undefined || markup === undefined) return undefined
  const tokens = { inputTokens: saidTokens + estimateTokensOf([question]), outputTokens: limits.credits.likelyOutputTokens }
  const cost = charge(costOf(tokens, prices), markup)
  return cost >= dollars(limits.credits.expensiveDollars) ? cost : undefined
}
