import { AppError } from '@parley/contract/errors'
import { limits } from '@parley/contract/limits'
import {
  affordableTokens,
  type Cost,
  charge as chargeFor,
  costOf,
  dollars,
  least,
  type Markup,
  type Nano,
  noMoney,
  type Prices,
  parseMarkup,
  parsePrices,
  type TokenCount,
} from '@parley/contract/money'
import { estimateTokens, estimateTokensOf, mostTokensOf } from '@parley/contract/token-estimate'
import type { FastifyBaseLogger } from 'fastify'
import type { Db } from '../../db/client'
import type { LlmProvider, Spent } from '../../providers/llm'
import { isUnlimited, isWalletAccount } from '../auth/entitlement-service'
import type { CreditNews } from './credit-news-service'
import type { LedgerService, Settlement } from './ledger-service'
import type { Untold } from './ledger-store'

type Deps = {
  db: Db
  ledger: LedgerService
  llm: LlmProvider
  news: CreditNews
  markup: Markup
  /** The operator sells models whose price nobody knows before: at what the gateway reports, or for nothing where it reports nothing. */
  allowsUnpriced: boolean
  log: FastifyBaseLogger
  now: () => number
}

/** By what somebody's answer of a model is charged. Without prices nobody knows before it has ended. */
export type Tariff = { userId: string; model: string; prices: Prices | undefined; mostTokens: number; windowTokens: number | undefined }

/** The hold for one answer. */
export type Charge = {
  userId: string
  messageId: string
  /** What is held: the answer is never charged more. */
  amount: Nano
  prices: Prices | undefined
  /** Likely, of what the model is asked. */
  inputTokens: number
  /** The answer may not be longer; undefined where that would say nothing about its price. */
  maxTokens: number | undefined
}

export type { Untold } from './ledger-store'

/** What an answer, or what there is of it, consists of. `isEarly`: the gateway reported it before the last of the text, and has not ended the answer. */
export type Produced = {
  text: string
  usage: (TokenCount & { cost: Cost | undefined; isEarly: boolean }) | undefined
  /** What the gateway calls the answer, where it can be asked for its cost afterwards. */
  generationRef?: string | undefined
}

type Whose = Pick<Charge, 'userId' | 'messageId'>
type PaidUsage = TokenCount & { cost: Nano }
type Abandoned = { isNew: boolean; usage: PaidUsage | undefined }

const nothing = parseMarkup(0)

/** Who pays for answers, and how much: DECISIONS section 6. */
export class ChargeService {
  /** Models whose missing price the operator was told of. */
  private readonly unpriced = new Set<string>()

  constructor(private readonly deps: Deps) {}

  /** Whether the operator pays for the answer because the person signs in with a wallet. */
  async isGiftToWallet(userId: string, model: string): Promise<boolean> {
    const { db, llm } = this.deps
    if (llm.kind !== 'gateway' || (await this.isFree(model))) return false
    return isWalletAccount(db, userId)
  }

  /** How long an answer may be that nobody is charged for; undefined where the model costs the operator nothing. */
  async freeTokens(model: string): Promise<number | undefined> {
    const { llm } = this.deps
    if (llm.kind !== 'gateway') return undefined
    const { mostOutputTokens } = limits.credits
    return Math.min(mostOutputTokens, (await llm.models()).find(({ id }) => id === model)?.maxOutputTokens ?? mostOutputTokens)
  }

  private async isFree(model: string): Promise<boolean> {
    const listed = (await this.deps.llm.models()).find(({ id }) => id === model)
    return listed?.free ?? model.endsWith(':free')
  }

  /**
   * Undefined where nothing is charged: a free model, a wallet's account, a running subscription, a server that passes no cost on.
   * Throws chat.model-unpriced for a model that would be charged and has no price that can be used.
   */
  async tariff(userId: string, model: string): Promise<Tariff | undefined> {
    const { db, llm, markup, allowsUnpriced, now } = this.deps
    if (llm.kind !== 'gateway' || markup === nothing) return undefined
    const models = await llm.models()
    const listed = models.find(({ id }) => id === model)
    if (listed?.free ?? model.endsWith(':free')) return undefined
    if (await isUnlimited(db, userId, new Date(now()))) return undefined
    const prices = parsePrices(listed?.pricing)
    // Without a list nobody knows; what the gateway reports is charged then.
    if (!prices && models.length > 0) {
      this.warnOfUnpriced(model)
      if (!allowsUnpriced) throw new AppError('chat.model-unpriced')
    }
    return {
      userId,
      model,
      prices,
      mostTokens: Math.min(limits.credits.mostOutputTokens, listed?.maxOutputTokens ?? limits.credits.mostOutputTokens),
      windowTokens: listed?.contextTokens,
    }
  }

  /**
   * Keeps aside what the answer to `messages` may cost, as the last of the transaction that makes its row. Where there is less, the answer has to be shorter.
   * Throws credits.minimum, credits.not-enough, credits.owed, chat.message-id-taken.
   */
  async hold(tx: Db, tariff: Tariff, { messageId, messages }: { messageId: string; messages: readonly { content: string }[] }): Promise<Charge> {
    const { userId, model, prices } = tariff
    const inputTokens = estimateTokensOf(messages)
    let amount = dollars(limits.credits.unpricedHoldDollars)
    let maxTokens: number | undefined
    const amountOf = (spendable: Nano): Nano | undefined => {
      if (!prices) return amount
      maxTokens = this.lengthFor(spendable, tariff, messages)
      if (maxTokens === undefined) return undefined
      amount = chargeFor(costOf({ inputTokens: mostTokensOf(messages), outputTokens: maxTokens }, prices), this.deps.markup)
      return amount
    }
    if (!(await this.deps.ledger.reserve(tx, { userId, messageId, model, amount: amountOf }))) throw new AppError('chat.message-id-taken')
    return { userId, messageId, amount, prices, inputTokens, maxTokens }
  }

  /** What the person pays for it: never more than is held, and nothing for an answer without a word. */
  priceOf(charge: Charge, produced: Produced): Nano {
    return least(this.costOf(charge, produced), charge.amount)
  }

  /** Its tokens, as the gateway counted them or about. */
  tokensOf(charge: Charge, { text, usage }: Produced): TokenCount {
    const isCounted = usage !== undefined && usage.inputTokens + usage.outputTokens > 0
    if (!isCounted) return { inputTokens: charge.inputTokens, outputTokens: estimateTokens(text) }
    const { inputTokens, outputTokens, isEarly } = usage
    return { inputTokens, outputTokens: isEarly ? Math.max(outputTokens, estimateTokens(text)) : outputTokens }
  }

  /** Whether the gateway has not said what the answer cost, and can be asked for it once it is over. */
  isUntold({ text, usage, generationRef }: Produced): boolean {
    return generationRef !== undefined && text.trim() !== '' && (usage?.cost === undefined || usage.isEarly)
  }

  /** In the transaction that ends the answer. */
  async settle(tx: Db, charge: Charge, produced: Produced): Promise<void> {
    const { ledger } = this.deps
    const { generationRef } = produced
    const note = this.noteOf({ charge, produced })
    if (generationRef !== undefined && this.isUntold(produced)) await ledger.postpone(tx, { ...note, generationRef })
    else await ledger.settle(tx, note)
  }

  /** The next answer whose cost the gateway is to be asked for now. */
  takeUntold(): Promise<Untold | undefined> {
    return this.deps.ledger.takeUntold()
  }

  /**
   * Ends the hold of such an answer by what the gateway told, else by what was noted while it was written. As `settleAbandoned`: in the transaction that
   * notes it with the answer. Undefined when it is over already.
   */
  async settleUntold(tx: Db, { id, produced, inputTokens, outputTokens }: Untold, spent: Spent | undefined): Promise<PaidUsage | undefined> {
    const noted = inputTokens === null || outputTokens === null ? undefined : { inputTokens, outputTokens }
    const usage = spent && spent.inputTokens + spent.outputTokens > 0 ? spent : noted
    const cost = spent ? chargeFor(spent.cost, this.deps.markup) : produced
    const counted = usage && { inputTokens: usage.inputTokens, outputTokens: usage.outputTokens }
    const settled = await this.deps.ledger.settleUntold(tx, { id, cost, usage: counted })
    return settled?.isNew && counted ? { ...counted, cost: settled.charged } : undefined
  }

  /** After that transaction. */
  async settled({ userId }: Pick<Whose, 'userId'>): Promise<void> {
    await this.deps.news.changed(userId)
  }

  /** With each heartbeat: the holds live on, and know what is to be paid if this process ends now. */
  async keep(answers: readonly { charge: Charge; produced: Produced }[]): Promise<void> {
    await this.deps.ledger.extend(
      this.deps.db,
      answers.map((answer) => this.noteOf(answer)),
    )
  }

  private noteOf({ charge, produced }: { charge: Charge; produced: Produced }): Settlement {
    const { userId, messageId } = charge
    const { generationRef } = produced
    return { userId, messageId, cost: this.costOf(charge, produced), usage: this.tokensOf(charge, produced), generationRef }
  }

  /**
   * For an answer that is ended in place of the process that wrote it, in the transaction that ends it. `usage`: what was paid and for how many tokens,
   * unless none were noted. Undefined where nothing is charged, or not before the gateway was asked. What this does not reach, the sweeper does.
   */
  async settleAbandoned(tx: Db, { userId, messageId }: Whose): Promise<Abandoned | undefined> {
    const settled = await this.deps.ledger.settleProduced(tx, { userId, messageId })
    return settled && { isNew: settled.isNew, usage: settled.usage && { ...settled.usage, cost: settled.charged } }
  }

  /** Tells the operator at the start when no answer can be charged by its tokens, or none is sold at all. */
  async warnOfNoPrices(): Promise<void> {
    const { llm, markup, allowsUnpriced, log } = this.deps
    if (llm.kind !== 'gateway' || markup === nothing) return
    const models = await llm.models()
    if (models.length === 0 || models.some(({ pricing }) => parsePrices(pricing))) return
    const outcome = allowsUnpriced ? 'answers cost what the gateway reports, or nothing' : 'all are refused (see ALLOW_UNPRICED_MODELS)'
    log.warn({ models: models.length }, `the gateway's models carry no prices at all: ${outcome}`)
  }

  /** Tells the operator, once for a model. */
  private warnOfUnpriced(model: string): void {
    const { allowsUnpriced, log } = this.deps
    if (this.unpriced.has(model)) return
    this.unpriced.add(model)
    const outcome = allowsUnpriced ? 'its answers cost what the gateway reports, or nothing' : 'it is refused (see ALLOW_UNPRICED_MODELS)'
    log.warn({ model }, `the gateway tells no usable price of a model: ${outcome}`)
  }

  private costOf(charge: Charge, produced: Produced): Nano {
    const { markup } = this.deps
    if (produced.text.trim() === '') return noMoney
    const reported = produced.usage?.cost === undefined ? undefined : chargeFor(produced.usage.cost, markup)
    if (reported !== undefined && !produced.usage?.isEarly) return reported
    const byTokens = charge.prices === undefined ? noMoney : chargeFor(costOf(this.tokensOf(charge, produced), charge.prices), markup)
    // It cost as much before the rest was written: less it cannot have become.
    return reported !== undefined && reported > byTokens ? reported : byTokens
  }

  /** How long the answer may be; undefined when that is too short to be one. */
  private lengthFor(budget: Nano, { prices, mostTokens, windowTokens }: Tariff, messages: readonly { content: string }[]): number | undefined {
    if (!prices) return undefined
    const window = windowTokens === undefined ? mostTokens : Math.max(limits.credits.leastOutputTokens, windowTokens - estimateTokensOf(messages))
    const most = Math.min(mostTokens, window)
    const length = affordableTokens({ budget, inputTokens: mostTokensOf(messages), prices, markup: this.deps.markup, most })
    return length < Math.min(limits.credits.leastOutputTokens, most) ? undefined : length
  }
}
