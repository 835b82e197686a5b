import { type ContextExchange, contextSizeOf, contextTokens, type FittedContext, type ModelWindow } from './context'
import { fitBeside, type PathPlace, pathBeside, placeOf } from './context-summary'
import type { Summary } from './conversations'
import { limits } from './limits/shared'
import { affordableTokens, type Markup, type Nano, type Prices, share } from './money'
import { estimateTokensOf } from './token-estimate'

// What a chat tells of its next question before it is sent: by the functions that choose what goes along.

type PlanInput = {
  /** What was said, oldest first, as far as it is known. */
  path: readonly (ContextExchange & PathPlace)[]
  /** Messages before those of `path`: they were not read, because no question could carry them. */
  unread: number
  /** The one that goes along. */
  summary?: Summary | undefined
  window: ModelWindow
  agentTokens: number
  /** Of the channel's sources. */
  sourceTokens?: number | undefined
  question: string
  /** Of the whole prompt, where somebody's money bounds it further than the window. */
  maxTokens?: number | undefined
  /** Of what goes along, where a frame carries it. */
  maxBytes?: number | undefined
  maxExchanges?: number | undefined
}

/** A kind of what is sent, by its number and its estimated tokens. */
type PlannedPart = { count: number; tokens: number }

export type ContextPlan = {
  window: ModelWindow
  agentTokens: number
  sourceTokens: number
  questionTokens: number
  /** The newest messages: questions and answers. */
  recent: PlannedPart
  /** Pinned exchanges before those. */
  pinned: PlannedPart
  /** Stands for messages before those; without a summary, of none. */
  summary: PlannedPart
  /** Messages of the path that do not go along, and that no summary stands for. */
  unsent: number
  /** Pinned exchanges that do not go along. */
  pinnedLeftOut: number
  /** The newest exchange is shortened. */
  isCut: boolean
  /** The question alone is too much for the model. */
  isQuestionTooLong: boolean
  /** All tokens that are sent, and those that are kept for the answer. */
  usedTokens: number
}

/** What goes along with a question, and what does not. */
export function planContext({
  path,
  unread,
  summary,
  window,
  agentTokens,
  sourceTokens = 0,
  question,
  ...bounds
}: PlanInput): ContextPlan {
  const { maxTokens, maxBytes: bytes, maxExchanges: exchanges } = bounds
  const questionTokens = estimateTokensOf([{ content: question }])
  const fixedTokens = agentTokens + sourceTokens + questionTokens + window.answer
  const tokens = contextTokens(window, { agentTokens: agentTokens + sourceTokens, question, maxTokens })
  const beside = pathBeside(path, summary)
  const fitted = fitBeside(beside, summary?.text, { tokens, bytes, exchanges })
  const { recent, pinned } = partsOf(fitted, beside, beside.length - lengthBefore(path, summary))
  const { summaryTokens, sent, pinnedLeftOut, isCut } = fitted
  return {
    ...{ window, agentTokens, sourceTokens, questionTokens, recent, pinned, pinnedLeftOut, isCut },
    summary: { count: summary?.messages ?? 0, tokens: summaryTokens },
    unsent: (beside.length - sent.length) * messagesOfExchange + (summary ? 0 : unread),
    isQuestionTooLong: fixedTokens > window.tokens,
    usedTokens: fixedTokens + summaryTokens + recent.tokens + pinned.tokens,
  }
}

/** How many of the exchanges that may go along a summary stands for: they are pinned. */
const lengthBefore = (path: readonly (ContextExchange & PathPlace)[], summary: Summary | undefined): number =>
  pathBeside(path, summary).length - (path.length - 1 - placeOf(path, summary))

/** What is pinned and stands right before the newest exchanges is told apart from them where a summary lies between. */
function partsOf(
  { recent, pinned }: FittedContext<ContextExchange>,
  beside: readonly ContextExchange[],
  after: number,
): { recent: PlannedPart; pinned: PlannedPart } {
  const moved = beside.slice(beside.length - recent.exchanges, beside.length - Math.min(recent.exchanges, after))
  const tokens = moved.reduce((sum, { size, messages }) => sum + (size ?? contextSizeOf(messages)).tokens, 0)
  return {
    recent: { count: (recent.exchanges - moved.length) * messagesOfExchange, tokens: recent.tokens - tokens },
    pinned: { count: pinned.exchanges + moved.length, tokens: pinned.tokens + tokens },
  }
}

/** A question and its answer. */
export const messagesOfExchange = 2

/** How much of a window is used, from 0 to 1; a question may be more than the whole of it. */
export const fullnessOf = ({ usedTokens, window }: ContextPlan): number =>
  window.tokens > 0 ? Math.min(1, usedTokens / window.tokens) : 1

/** Whether something that has to go along does not: a pinned message, or the question itself. */
export const isOverfull = ({ pinnedLeftOut, isQuestionTooLong }: ContextPlan): boolean =>
  pinnedLeftOut > 0 || isQuestionTooLong

/** More than any window. */
const unlimitedTokens = 1e9

/**
 * How many tokens a prompt should have at most, as they are likely to be counted: half of what a person can spend pays
 * for them, so that the other half is left for the answer, and no conversation is too long to go on. Without prices a
 * fixed amount is held.
 */
export function affordablePromptTokens({
  spendable,
  prices,
  markup,
}: {
  spendable: Nano
  prices: Prices | undefined
  markup: Markup
}): number {
  if (!prices) return limits.context.operatorPaidTokens
  const budget = share(spendable, 1n, 2n)
  const readPrices = { ...prices, completion: prices.prompt }
  const most = affordableTokens({ budget, inputTokens: 0, prices: readPrices, markup, most: unlimitedTokens })
  // What is held is at most twice of what is likely.
  return Math.floor(most / 2)
}
