import { AppError } from '@parley/contract/errors'
import { limits } from '@parley/contract/limits/shared'
import type { Model } from '@parley/contract/models'
import {
  charge,
  type Markup,
  type Nano,
  noMoney,
  type Prices,
  parseCost,
  parseMarkup,
  parsePrices,
} from '@parley/contract/money'
import type { FastifyBaseLogger } from 'fastify'
import type { Db } from '../../../db/client'
import type { LlmProvider } from '../../../providers/llm'
import { isUnlimited, isWalletAccount } from '../../auth/public/entitlement'

type Deps = {
  db: Db
  llm: LlmProvider
  markup: Markup
  /** Allows models without a listed price: their answers cost what the gateway reports, or nothing. */
  allowsUnpriced: boolean
  log: FastifyBaseLogger
  now: () => number
}

/** The conditions at which a person pays for answers of a model. Without prices, the cost is known only afterwards. */
export type Tariff = {
  userId: string
  model: string
  prices: Prices | undefined
  maxOutputTokens: number
  contextTokens: number | undefined
  /** Of the search of the web that the question asks for; nothing without one. */
  searchPrice: Nano
}

/** `length`: of the answer that the person wants to pay for. `searchPrice`: of the search that they ask for. */
type Wanted = { length?: number | undefined; searchPrice?: Nano | undefined }

const noMarkup = parseMarkup(0)
const noPrices = parsePrices({ prompt: '0', completion: '0' })

/** Who pays for the answers of a model, and at which prices. */
export class Tariffs {
  /** Models about whose missing price the operator has been warned. */
  private readonly warnedModels = new Set<string>()

  constructor(private readonly deps: Deps) {}

  /**
   * Undefined where nothing is charged: for a free model without a search that costs something, a wallet account, a
   * subscriber, or on a server that passes no cost on. Throws chat.model-unpriced for a model that would be charged and
   * has no usable price.
   */
  async tariffFor(
    userId: string,
    model: string,
    { length: wanted, searchPrice = noMoney }: Wanted = {},
  ): Promise<Tariff | undefined> {
    const { db, allowsUnpriced, now } = this.deps
    if (!this.isCharging()) return undefined
    const models = await this.deps.llm.models()
    const listed = find(models, model)
    const isFreeModel = isFree(listed, model)
    if ((isFreeModel && searchPrice === noMoney) || (await isUnlimited(db, userId, new Date(now())))) return undefined
    const prices = isFreeModel ? noPrices : parsePrices(listed?.pricing)
    // Without a model list the price is unknown: the reported cost is charged.
    if (!prices && models.length > 0) {
      this.warnOfUnpriced(model)
      if (!allowsUnpriced) throw new AppError('chat.model-unpriced')
    }
    const most =
      wanted === undefined || listed?.maxOutputTokens === undefined ? maxOutputTokens(listed) : listed.maxOutputTokens
    const length = Math.min(most, wanted ?? most)
    return { userId, model, prices, maxOutputTokens: length, contextTokens: listed?.contextTokens, searchPrice }
  }

  /** What people are charged for something that costs the operator so many dollars, where this server charges them. */
  priceOf(cost: string): Nano {
    const parsed = parseCost(cost)
    return parsed === undefined || !this.isCharging() ? noMoney : charge(parsed, this.deps.markup)
  }

  /**
   * True if the operator pays for the answer, or for its search, because the person has signed in with a wallet.
   */
  async isPaidByOperator(userId: string, model: string, isSearchPaid = false): Promise<boolean> {
    const { db, llm } = this.deps
    if (llm.kind !== 'gateway') return false
    if (!isSearchPaid && isFree(find(await llm.models(), model), model)) return false
    return isWalletAccount(db, userId)
  }

  /** The longest prompt, in tokens, of an answer that the operator pays for; undefined where it is another's cost. */
  async maxOperatorPaidPrompt(userId: string | undefined, model: string): Promise<number | undefined> {
    const { llm } = this.deps
    const isPaid =
      userId === undefined
        ? llm.kind === 'gateway' && !isFree(find(await llm.models(), model), model)
        : await this.isPaidByOperator(userId, model)
    return isPaid ? limits.context.operatorPaidTokens : undefined
  }

  /**
   * The longest answer that nobody is charged for; undefined where the model costs the operator nothing, and no length
   * is wanted.
   */
  async maxUnchargedTokens(model: string, wanted?: number): Promise<number | undefined> {
    const { llm } = this.deps
    if (llm.kind !== 'gateway') return wanted
    const most = maxOutputTokens(find(await llm.models(), model))
    return Math.min(most, wanted ?? most)
  }

  /** Warns the operator at the start if no listed model has a price. */
  async warnOfNoPrices(): Promise<void> {
    const { llm, allowsUnpriced, log } = this.deps
    if (!this.isCharging()) return
    const models = await llm.models()
    if (models.length === 0 || models.some(({ pricing }) => parsePrices(pricing))) return
    const outcome = allowsUnpriced
      ? 'answers cost what the gateway reports, or nothing'
      : 'all are refused (see ALLOW_UNPRICED_MODELS)'
    log.warn({ models: models.length }, `the gateway's models carry no prices at all: ${outcome}`)
  }

  private isCharging(): boolean {
    const { llm, markup } = this.deps
    return llm.kind === 'gateway' && markup !== noMarkup
  }

  private warnOfUnpriced(model: string): void {
    const { allowsUnpriced, log } = this.deps
    if (this.warnedModels.has(model)) return
    this.warnedModels.add(model)
    const outcome = allowsUnpriced
      ? 'its answers cost what the gateway reports, or nothing'
      : 'it is refused (see ALLOW_UNPRICED_MODELS)'
    log.warn({ model }, `the gateway tells no usable price of a model: ${outcome}`)
  }
}

const find = (models: readonly Model[], id: string): Model | undefined => models.find((model) => model.id === id)

/** An unlisted model is free if its id says so, as OpenRouter's ids do. */
const isFree = (listed: Model | undefined, model: string): boolean => listed?.free ?? model.endsWith(':free')

function maxOutputTokens(listed: Model | undefined): number {
  const { mostOutputTokens } = limits.credits
  return Math.min(mostOutputTokens, listed?.maxOutputTokens ?? mostOutputTokens)
}
