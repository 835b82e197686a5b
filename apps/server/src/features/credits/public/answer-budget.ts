import {
  affordableTokens,
  charge,
  costOf,
  type Markup,
  minus,
  type Nano,
  type Prices,
  type TokenCount,
} from '@parley/contract/money'
import type { PromptSize } from './answer-price'

/** `maxTokens` bounds what the model writes; undefined where it may write as much as it likes. */
export type BudgetLimits = {
  maxTokens: number | undefined
  /** The held amount, of an answer whose prices are known. */
  money?: { amount: Nano; prices: Prices; markup: Markup } | undefined
}

/** What is left of a budget pays for no further call of the model. */
export class BudgetSpentError extends Error {
  override name = 'BudgetSpentError'
}

/**
 * What may be spent on one answer, in all its calls of the model. As each call is bounded by what the ones before it
 * have left, they never cost more than the hold together.
 */
export class AnswerBudget {
  private tokens: BudgetLimits['maxTokens']
  private readonly money: BudgetLimits['money']

  constructor({ maxTokens, money }: BudgetLimits) {
    this.tokens = maxTokens
    this.money = money && { ...money }
  }

  /** How many tokens the model may write in the next call, undefined for any number. Throws BudgetSpentError. */
  lengthOfCall(prompt: PromptSize): number | undefined {
    const { tokens: most, money } = this
    if (most === undefined) return undefined
    const length = money
      ? affordableTokens({ ...money, budget: money.amount, inputTokens: prompt.maxTokens, most })
      : most
    if (length <= 0) throw new BudgetSpentError()
    return length
  }

  /** Counts what a call has used. */
  spend(used: TokenCount): void {
    if (this.tokens !== undefined) this.tokens -= used.outputTokens
    if (this.money)
      this.money.amount = minus(this.money.amount, charge(costOf(used, this.money.prices), this.money.markup))
  }
}
