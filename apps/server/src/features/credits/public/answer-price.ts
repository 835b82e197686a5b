import type { Reasoning } from '@parley/contract/chat'
import { serverLimits } from '@parley/contract/limits/server'
import { limits } from '@parley/contract/limits/shared'
import {
  affordableTokens,
  type Cost,
  charge,
  costOf,
  type Markup,
  type Nano,
  noMoney,
  type Prices,
  type TokenCount,
} from '@parley/contract/money'
import { estimateTokens, estimateTokensOf, mostTokensOf } from '@parley/contract/token-estimate'

/** The tokens that a model reads: as many as is likely, and at most. */
export type PromptSize = { likelyTokens: number; maxTokens: number }

/** Encodes all of the text, so it is called once for a prompt, and in no transaction. */
export function sizeOfPrompt(messages: readonly { content: string; pictures?: readonly unknown[] }[]): PromptSize {
  const { likely, most } = limits.sources.pictureTokens
  const pictures = messages.reduce((sum, message) => sum + (message.pictures?.length ?? 0), 0)
  return {
    likelyTokens: estimateTokensOf(messages) + pictures * likely,
    maxTokens: mostTokensOf(messages) + pictures * most,
  }
}

/** `inputTokens` is an estimate of the tokens that the model reads. */
export type AnswerTerms = { prices: Prices | undefined; inputTokens: number }

/**
 * What a model has written of an answer so far. `isEarly`: the gateway reported the usage before the last text, and has
 * not ended the answer.
 */
export type AnswerOutput = {
  text: string
  /** Counts like text. */
  reasoning?: Reasoning | undefined
  usage: (TokenCount & { cost: Cost | undefined; isEarly: boolean }) | undefined
  /** The gateway's id of the answer, where the gateway can be asked for its cost later. */
  generationRef?: string | undefined
}

/** The tokens of an answer, as the gateway reported them, else estimated. */
export function tokensOf(
  terms: Pick<AnswerTerms, 'inputTokens'>,
  { text, reasoning, usage }: Pick<AnswerOutput, 'text' | 'reasoning' | 'usage'>,
): TokenCount {
  const estimate = (): number => estimateTokens(text) + (reasoning ? estimateTokens(reasoning.text) : 0)
  const isReported = usage !== undefined && usage.inputTokens + usage.outputTokens > 0
  if (!isReported) return { inputTokens: terms.inputTokens, outputTokens: estimate() }
  const { inputTokens, outputTokens, isEarly } = usage
  return { inputTokens, outputTokens: isEarly ? Math.max(outputTokens, estimate()) : outputTokens }
}

const isNothing = ({ text, reasoning }: AnswerOutput): boolean => text.trim() === '' && !reasoning?.text.trim()

/** True if the gateway has not reported what the answer cost, and can be asked for it after the answer's end. */
export function isCostUnreported(output: AnswerOutput): boolean {
  const { usage, generationRef } = output
  return generationRef !== undefined && !isNothing(output) && (usage?.cost === undefined || usage.isEarly)
}

/** The price of an answer: the reported cost, else that of its tokens, with the markup. An empty answer is free. */
export function priceOfAnswer(terms: AnswerTerms, output: AnswerOutput, markup: Markup): Nano {
  const { usage } = output
  if (isNothing(output)) return noMoney
  const reported = usage?.cost === undefined ? undefined : charge(usage.cost, markup)
  if (reported !== undefined && !usage?.isEarly) return reported
  const byTokens = terms.prices === undefined ? noMoney : charge(costOf(tokensOf(terms, output), terms.prices), markup)
  // An early report is a lower bound: the answer has become longer since.
  return reported !== undefined && reported > byTokens ? reported : byTokens
}

/** The highest price that an answer with these limits can have. */
export function maxPriceOf(
  prompt: PromptSize,
  { prices, maxTokens, markup }: { prices: Prices; maxTokens: number; markup: Markup },
): Nano {
  return charge(costOf({ inputTokens: prompt.maxTokens, outputTokens: maxTokens }, prices), markup)
}

type LengthLimits = {
  budget: Nano
  prices: Prices
  maxOutputTokens: number
  contextTokens: number | undefined
  markup: Markup
}

/** How many tokens the answer may have: bounded by budget, model and context. Undefined if that is too few to answer. */
export function affordableLength(
  prompt: PromptSize,
  { budget, prices, maxOutputTokens, contextTokens, markup }: LengthLimits,
): number | undefined {
  const { leastOutputTokens } = serverLimits.credits
  const free =
    contextTokens === undefined ? maxOutputTokens : Math.max(leastOutputTokens, contextTokens - prompt.likelyTokens)
  const most = Math.min(maxOutputTokens, free)
  const length = affordableTokens({ budget, inputTokens: prompt.maxTokens, prices, markup, most })
  return length < Math.min(leastOutputTokens, most) ? undefined : length
}
