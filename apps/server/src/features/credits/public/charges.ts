import { affordablePromptTokens } from '@parley/contract/context-plan'
import { AppError } from '@parley/contract/errors'
import { serverLimits } from '@parley/contract/limits/server'
import {
  charge as chargeFor,
  dollars,
  least,
  type Markup,
  minus,
  type Nano,
  noMoney,
  plus,
  type TokenCount,
} from '@parley/contract/money'
import type { Db } from '../../../db/client'
import type { ReportedUsage } from '../../../providers/llm'
import { spendableOf } from '../balance'
import type { HoldService, Settlement } from '../hold-service'
import type { MessageKey, UnreportedCost } from '../hold-store'
import { findBalance } from '../ledger-store'
import { AnswerBudget } from './answer-budget'
import {
  type AnswerOutput,
  type AnswerTerms,
  affordableLength,
  isCostUnreported,
  maxPriceOf,
  type PromptSize,
  priceBeside,
  priceOfAnswer,
  tokensOf,
} from './answer-price'
import type { CreditEvents } from './credit-events'
import type { Tariff } from './tariffs'

export type { UnreportedCost } from '../hold-store'

type Deps = { db: Db; holds: HoldService; creditEvents: CreditEvents; markup: Markup }

/** The hold for one answer, and the terms at which it is settled. */
export type Charge = MessageKey &
  AnswerTerms & {
    /** The held amount: the answer is never charged more. */
    amount: Nano
    /** The longest answer that the amount pays for; undefined where the prices are unknown. */
    maxTokens: number | undefined
  }

type ChargedUsage = TokenCount & { cost: Nano }
type AbandonedCharge = { isNew: boolean; usage: ChargedUsage | undefined }

/** Charges people for answers: holds what an answer can cost, and settles it when the answer ends. */
export class ChargeService {
  constructor(private readonly deps: Deps) {}

  /**
   * Holds what the answer to a prompt can cost, with a search of the web where the tariff has a price of one, and with
   * what such a search adds to what the model reads (`added`), as the last step of the transaction that inserts the
   * answer. A person who cannot pay for the longest answer gets a shorter one. Throws credits.minimum,
   * credits.not-enough, credits.owed, chat.message-id-taken.
   */
  async hold(
    tx: Db,
    { userId, model, prices, maxOutputTokens, contextTokens, searchPrice }: Tariff,
    { messageId, prompt, added = noTokens }: { messageId: string; prompt: PromptSize; added?: PromptSize | undefined },
  ): Promise<Charge> {
    const { holds, markup } = this.deps
    const whole = addedSize(prompt, added)
    let amount = plus(dollars(serverLimits.credits.unpricedHoldDollars), searchPrice)
    let maxTokens: number | undefined
    const amountFor = (spendable: Nano): Nano | undefined => {
      if (!prices) return amount
      if (spendable < searchPrice) return undefined
      const budget = minus(spendable, searchPrice)
      maxTokens = affordableLength(whole, { budget, prices, maxOutputTokens, contextTokens, markup })
      if (maxTokens === undefined) return undefined
      amount = plus(maxPriceOf(whole, { prices, maxTokens, markup }), searchPrice)
      return amount
    }
    if (!(await holds.reserve(tx, { userId, messageId, model, amount: amountFor })))
      throw new AppError('chat.message-id-taken')
    return { userId, messageId, amount, prices, inputTokens: prompt.likelyTokens, maxTokens, searchPrice }
  }

  /**
   * How many tokens a prompt should have at most, as they are likely to be counted, by what the person can spend.
   */
  async affordablePrompt({ userId, prices }: Pick<Tariff, 'userId' | 'prices'>): Promise<number> {
    const { db, markup } = this.deps
    return affordablePromptTokens({ spendable: spendableOf(await findBalance(db, userId)), prices, markup })
  }

  /** What may be spent on calls of the model: what the hold of the answer pays for beside a search. */
  budgetOf({ amount, prices, maxTokens, searchPrice = noMoney }: Charge): AnswerBudget {
    const money = prices && { amount: minus(amount, searchPrice), prices, markup: this.deps.markup }
    return new AnswerBudget({ maxTokens, money })
  }

  /** What the person pays for an answer: at most the held amount, and nothing for an empty answer. */
  priceOf(charge: Charge, output: AnswerOutput): Nano {
    return least(priceOfAnswer(charge, output, this.deps.markup), charge.amount)
  }

  /** Extends the holds with each heartbeat, and stores what is to be charged if this process dies now. */
  async extendHolds(answers: readonly { charge: Charge; output: AnswerOutput }[]): Promise<void> {
    await this.deps.holds.extend(
      this.deps.db,
      answers.map((answer) => this.settlementOf(answer)),
    )
  }

  /** Settles an answer, in the transaction that ends it. */
  async settle(tx: Db, charge: Charge, output: AnswerOutput): Promise<void> {
    const { holds } = this.deps
    const { generationRef } = output
    const settlement = this.settlementOf({ charge, output })
    if (generationRef !== undefined && isCostUnreported(output))
      await holds.awaitCost(tx, { ...settlement, generationRef })
    else await holds.settle(tx, settlement)
  }

  /**
   * Settles an answer whose node has died, in the transaction that ends it. `usage` is undefined where no tokens were
   * stored. Undefined if nothing is charged, or not before the gateway was asked for the cost. The sweeper settles what
   * this leaves open.
   */
  async settleAbandoned(tx: Db, { userId, messageId }: MessageKey): Promise<AbandonedCharge | undefined> {
    const result = await this.deps.holds.settleAccrued(tx, { userId, messageId })
    return result && { isNew: result.isNew, usage: result.usage && { ...result.usage, cost: result.charged } }
  }

  /** Claims the next answer for which the gateway is to be asked for the cost. */
  claimUnreportedCost(): Promise<UnreportedCost | undefined> {
    return this.deps.holds.claimUnreportedCost()
  }

  /**
   * Settles such an answer at the cost that the gateway reported, else at the cost that was counted while it was
   * written; in the transaction that stores the usage with the answer. Undefined if it was settled before.
   */
  async settleUnreported(
    tx: Db,
    { id, accruedCost, besideCost, inputTokens, outputTokens }: UnreportedCost,
    reported: ReportedUsage | undefined,
  ): Promise<ChargedUsage | undefined> {
    const counted = inputTokens === null || outputTokens === null ? undefined : { inputTokens, outputTokens }
    const tokens = reported && reported.inputTokens + reported.outputTokens > 0 ? reported : counted
    const usage = tokens && { inputTokens: tokens.inputTokens, outputTokens: tokens.outputTokens }
    const cost = reported ? plus(chargeFor(reported.cost, this.deps.markup), besideCost) : accruedCost
    const result = await this.deps.holds.settleUnreported(tx, { id, cost, usage })
    return result?.isNew && usage ? { ...usage, cost: result.charged } : undefined
  }

  /** Publishes the changed balance, after the transaction that settled an answer is committed. */
  async publishBalanceChange({ userId }: { userId: string }): Promise<void> {
    await this.deps.creditEvents.publishChanged(userId)
  }

  private settlementOf({ charge, output }: { charge: Charge; output: AnswerOutput }): Settlement {
    const { userId, messageId } = charge
    return {
      userId,
      messageId,
      cost: priceOfAnswer(charge, output, this.deps.markup),
      besideCost: priceBeside(charge, output, this.deps.markup),
      usage: tokensOf(charge, output),
      generationRef: output.generationRef,
    }
  }
}

const noTokens: PromptSize = { likelyTokens: 0, maxTokens: 0 }

const addedSize = (one: PromptSize, other: PromptSize): PromptSize => ({
  likelyTokens: one.likelyTokens + other.likelyTokens,
  maxTokens: one.maxTokens + other.maxTokens,
})
