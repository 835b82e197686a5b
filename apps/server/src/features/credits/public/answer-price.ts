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
  plus,
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

/**
 * `inputTokens` is an estimate of the tokens that the model reads, `searchPrice` what a search of the web is charged.
 */
export type AnswerTerms = { prices: Prices | undefined; inputTokens: number; searchPrice?: Nano | undefined }

/** What a call of the model has used; `cost` where the gateway tells it. */
export type CallUsage = TokenCount & { cost: Cost | undefined }

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
  /** What a call before the one that writes the text has used: it wrote what is searched for. */
  earlier?: CallUsage | undefined
  /** What the prompt has beside the one of the terms: passages of the web. */
  addedTokens?: number | undefined
  /** The web was searched: by an engine of the operator's, or by the gateway, whose reported cost includes it. */
  searched?: 'engine' | 'gateway' | undefined
}

type Written = Pick<AnswerOutput, 'text' | 'reasoning' | 'usage' | 'earlier' | 'addedTokens'>

/** The tokens of an answer, in all calls of the model, as the gateway reported them, else estimated. */
export function tokensOf(terms: Pick<AnswerTerms, 'inputTokens'>, written: Written): TokenCount {
  const { inputTokens, outputTokens } = tokensOfCall(terms, written)
  const { earlier } = written
  return {
    inputTokens: inputTokens + (earlier?.inputTokens ?? 0),
    outputTokens: outputTokens + (earlier?.outputTokens ?? 0),
  }
}

/** Those of the call that writes the text. */
function tokensOfCall(
  terms: Pick<AnswerTerms, 'inputTokens'>,
  { text, reasoning, usage, addedTokens = 0 }: Written,
): TokenCount {
  const estimate = (): number => estimateTokens(text) + (reasoning ? estimateTokens(reasoning.text) : 0)
  const isReported = usage !== undefined && usage.inputTokens + usage.outputTokens > 0
  if (!isReported) return { inputTokens: terms.inputTokens + addedTokens, outputTokens: estimate() }
  const { inputTokens, outputTokens, isEarly } = usage
  return { inputTokens, outputTokens: isEarly ? Math.max(outputTokens, estimate()) : outputTokens }
}

const isNothing = ({ text, reasoning }: AnswerOutput): boolean => text.trim() === '' && !reasoning?.text.trim()

/** True if the gateway has not reported what the answer cost, and can be asked for it after the answer's end. */
export function isCostUnreported(output: AnswerOutput): boolean {
  const { usage, generationRef } = output
  return generationRef !== undefined && !isNothing(output) && (usage?.cost === undefined || usage.isEarly)
}

/**
 * The price of an answer: the reported cost, else that of its tokens, with the markup, and what it costs beside. An
 * empty answer is free, but for a search of the web.
 */
export function priceOfAnswer(terms: AnswerTerms, output: AnswerOutput, markup: Markup): Nano {
  const { usage, searched } = output
  const beside = priceBeside(terms, output, markup)
  if (isNothing(output)) return searched === 'engine' ? beside : noMoney
  const reported = usage?.cost === undefined ? undefined : charge(usage.cost, markup)
  if (reported !== undefined && !usage?.isEarly) return plus(reported, beside)
  const ofTokens =
    terms.prices === undefined ? noMoney : charge(costOf(tokensOfCall(terms, output), terms.prices), markup)
  const byTokens = searched === 'gateway' ? plus(ofTokens, terms.searchPrice ?? noMoney) : ofTokens
  // An early report is a lower bound: the answer has become longer since.
  return plus(reported !== undefined && reported > byTokens ? reported : byTokens, beside)
}

/** What an answer costs beside what the gateway reports of its text: the query of a search, and the search. */
export function priceBeside(terms: AnswerTerms, { earlier, searched }: AnswerOutput, markup: Markup): Nano {
  const search = searched === 'engine' ? (terms.searchPrice ?? noMoney) : noMoney
  const cost = earlier && (earlier.cost ?? (terms.prices && costOf(earlier, terms.prices)))
  return cost === undefined ? search : plus(search, charge(cost, markup))
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

/**
 * How many tokens the answer may have: bounded by budget, model and context. Undefined if that is too few to answer.
 */
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
