import type { IncomingHttpHeaders } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import type { PaymentOffer } from '@parley/contract/config'
import { AppError, type ErrorCode } from '@parley/contract/errors'
import { limits } from '@parley/contract/limits'
import { centsAt, formatRate, type Nano, type Rate, toCents, tokensAt } from '@parley/contract/money'
import { type Payment, type PaymentMethod, purchaseAmount } from '@parley/contract/payments'
import { uuidv7 } from '@parley/contract/uuid'
import type { FastifyBaseLogger } from 'fastify'
import { parseUnits } from 'viem'
import type { Db } from '../../db/client'
import { type PaymentProvider, ProviderError } from '../../providers/payments/payment-provider'
import type { TokenChain } from '../../providers/payments/token'
import { payerOf } from '../auth/payer-service'
import type { CreditNews } from './credit-news-service'
import type { LedgerService } from './ledger-service'
import { paymentJson } from './payment-json'
import { PaymentProgress } from './payment-progress'
import {
  claimCall,
  claimOpen,
  countOpen,
  expire,
  failUnstarted,
  findPayment,
  findPaymentAt,
  findPaymentByKey,
  findPaymentOf,
  finishNotice,
  forgetNotices,
  insertPayment,
  isPaymentId,
  listPayments,
  noteStarted,
  type PaymentRow,
  receiveNotice,
  releaseStart,
  renewStart,
} from './payment-store'
import { TokenPaymentService } from './token-payment-service'

/** What the operator configured; a method that is absent is not offered. */
export type PaymentWays = {
  card?: { provider: PaymentProvider }
  pix?: { provider: PaymentProvider; rate: Rate }
  token?: { chain: TokenChain; chainId: number; token: string; treasury: string; price: Rate }
}

type Deps = {
  db: Db
  ledger: LedgerService
  news: CreditNews
  ways: PaymentWays
  log: FastifyBaseLogger
  /** After a payment was credited, when that is committed. */
  onCredited?: () => void
  now: () => number
}
type Wish = { amount: number; method: PaymentMethod; key: string | undefined }
type NoticeCall = { raw: Buffer; headers: IncomingHttpHeaders; query: URLSearchParams }
type Terms = Pick<PaymentRow, 'asked' | 'currency' | 'rate' | 'terms' | 'expiresAt'>

const failed = { pix: 'payment.pix-failed', card: 'payment.card-failed', token: 'payment.token-unavailable' } as const satisfies Record<
  PaymentMethod,
  ErrorCode
>
const minuteMs = 60_000
const dayMs = 86_400_000
/** How often a provider is asked for a payment whose money moves meanwhile. */
const askingRounds = 5

/**
 * Buying credits. A payment stands here before its provider hears of it; what the provider or the person's browser says later is only a reason to ask the
 * provider, whose answer counts.
 */
export class PaymentService {
  private readonly progress: PaymentProgress
  private readonly tokens: TokenPaymentService | undefined

  constructor(private readonly deps: Deps) {
    this.progress = new PaymentProgress(deps)
    this.tokens = deps.ways.token && new TokenPaymentService({ ...deps, chain: deps.ways.token.chain, progress: this.progress })
  }

  offer(): PaymentOffer {
    const { card, pix, token } = this.deps.ways
    return {
      methods: [...(pix ? (['pix'] as const) : []), ...(card ? (['card'] as const) : []), ...(token ? (['token'] as const) : [])],
      minDollars: limits.payments.minDollars,
      maxDollars: limits.payments.maxDollars,
      ...(pix ? { usdBrlRate: formatRate(pix.rate) } : {}),
      ...(token ? { aizUsdPrice: formatRate(token.price), chainId: token.chainId } : {}),
    }
  }

  async list(userId: string): Promise<Payment[]> {
    return (await listPayments(this.deps.db, userId)).map(paymentJson)
  }

  /** Throws not-found. */
  async get(userId: string, id: string): Promise<Payment> {
    return paymentJson(await this.own(userId, id))
  }

  /**
   * Starts a purchase, or answers the one that was started with the same key. Throws what purchaseAmount says, payment.method-unavailable,
   * payment.key-reused, {method}-failed, and rate-limited while too many of the person's are open.
   */
  async start(userId: string, { amount: given, method, key }: Wish): Promise<Payment> {
    const { db } = this.deps
    const wish = purchaseAmount(given)
    if ('error' in wish) throw new AppError(wish.error)
    // Before the key is looked for: the same call at the same moment may start the last one that is allowed.
    const open = await countOpen(db, userId)
    const known = key === undefined ? undefined : await findPaymentByKey(db, userId, key)
    if (known) return this.resume(userId, known, { amount: wish.amount, method })
    if (open >= limits.payments.mostOpen) throw new AppError('rate-limited')
    const at = this.now()
    const id = uuidv7()
    const terms = await this.termsOf(method, wish.amount, at)
    const times = { createdAt: at, updatedAt: at, askedAt: at }
    const isNew = await insertPayment(db, { id, userId, amount: wish.amount, method, status: 'pending', ...terms, idempotencyKey: key ?? null, ...times })
    // Whoever inserts it makes the first call for it: `askedAt` is the claim.
    if (isNew) return this.begin(userId, await this.own(userId, id), { isFirst: true })
    // The same call came twice at once.
    const first = key === undefined ? undefined : await findPaymentByKey(db, userId, key)
    if (!first) throw new AppError('conflict')
    return this.resume(userId, first, { amount: wish.amount, method })
  }

  /**
   * Asks the provider now, unless somebody has a moment ago: then the payment is as it was found. Throws not-found, payment.pix-failed when the provider
   * does not answer.
   */
  async checkPix(userId: string, id: string): Promise<Payment> {
    const row = await this.own(userId, id)
    if (row.method !== 'pix') throw new AppError('not-found')
    if (row.status !== 'pending') return paymentJson(row)
    if (!this.deps.ways.pix) throw new AppError('payment.pix-failed')
    const now = this.now()
    const afterMs = row.providerId === null ? limits.payments.startMs : limits.payments.checkEveryMs
    if (!(await claimCall(this.deps.db, { userId, id }, { now, afterMs }))) return this.get(userId, id)
    row.askedAt = now
    try {
      await this.lookAfter(row)
    } catch (error) {
      this.deps.log.warn({ err: error, paymentId: id }, 'the provider could not be asked for a payment')
      throw new AppError('payment.pix-failed', { cause: error })
    }
    return this.get(userId, id)
  }

  /** Throws as TokenPaymentService.report does, and payment.token-unavailable where another node has to be told. */
  async reportTransfer(userId: string, id: string, hash: string): Promise<Payment> {
    if (!this.tokens) throw new AppError((await this.own(userId, id)).method === 'token' ? 'payment.token-unavailable' : 'not-found')
    return paymentJson(await this.tokens.report(userId, id, hash))
  }

  /** A call of a provider. Throws payment.webhook-refused when it did not sign it, unavailable when it is to call again. */
  async notice(provider: 'stripe' | 'mercadopago', call: NoticeCall): Promise<void> {
    const { db, ways, log } = this.deps
    const method = provider === 'stripe' ? 'card' : 'pix'
    const notice = ways[method]?.provider.readNotice(call)
    if (!notice) {
      log.warn({ provider }, 'refused a notification that the payment provider did not sign')
      throw new AppError('payment.webhook-refused')
    }
    const key = { provider, eventId: notice.eventId }
    if (!(await receiveNotice(db, key, this.now()))) return
    try {
      const providerId = await notice.locate()
      if (providerId !== undefined) await this.takeOver(method, providerId)
    } catch (error) {
      log.warn({ err: error, provider }, 'a notification could not be acted on')
      throw new AppError('unavailable', { cause: error })
    }
    await finishNotice(db, key, this.now())
  }

  /** Asks for open payments that nobody told about, and ends those whose time is over: of the methods that this node can ask for. */
  async sweep(): Promise<void> {
    const { db, log } = this.deps
    for (const row of await claimOpen(db, this.now(), this.offer().methods)) {
      try {
        await this.lookAfter(row)
      } catch (error) {
        // It stays open.
        log.warn({ err: error, paymentId: row.id, method: row.method }, 'an open payment could not be asked for')
      }
    }
    await forgetNotices(db, new Date(this.deps.now() - limits.payments.inboxDays * dayMs))
  }

  /** Throws where this node cannot ask: as long as nobody knows, money may have come. */
  private async lookAfter(row: PaymentRow): Promise<void> {
    const { db, ways, now } = this.deps
    if (!ways[row.method]) throw new Error('this node does not have the payment method that another one has')
    if (row.method === 'token' && this.tokens) return this.tokens.lookAgain(row)
    if (row.method !== 'token' && row.providerId !== null) await this.takeOver(row.method, row.providerId)
    else if (row.userId !== null && row.expiresAt.getTime() > now()) await this.begin(row.userId, row, { isFirst: false })
    // Of one that is complete by now this changes nothing.
    if (row.expiresAt.getTime() <= now()) await expire(db, row, new Date(now()))
  }

  /** Asks a provider for a payment and takes over what it says. Throws ProviderError. */
  async takeOver(method: 'card' | 'pix', providerId: string): Promise<void> {
    const { db, ways, log } = this.deps
    // One whose start broke off does not know its id at the provider, which tells whose it is.
    let id: string | undefined
    for (let round = 0; round < askingRounds; round++) {
      const seen = await (id === undefined ? findPaymentAt(db, method, providerId) : findPaymentOf(db, method, id))
      const found = await ways[method]?.provider.find(providerId)
      // The provider's account may be used for other things than ours.
      const row = found?.paymentId !== undefined && isPaymentId(found.paymentId) ? await findPaymentOf(db, method, found.paymentId) : undefined
      if (!found || !row) return void log.info({ method }, 'a notification is about no payment of ours')
      if (row.providerId !== null && row.providerId !== providerId)
        return void log.error({ paymentId: row.id, method }, 'the provider has two payments for one order: nothing is granted')
      if (await this.progress.takeOver(row.id, { ...found, providerId }, seen)) return
      id = row.id
    }
    throw new Error('a payment goes back and forth faster than its provider can be asked')
  }

  /** What it costs in the method's own money, from now to when it ends. */
  private async termsOf(method: PaymentMethod, amount: Nano, at: Date): Promise<Terms> {
    const { card, pix, token } = this.deps.ways
    const until = (ms: number): Date => new Date(at.getTime() + ms)
    const { pixMinutes, cardHours, tokenMinutes } = limits.payments
    if (method === 'card' && card)
      return { asked: toCents(amount) ?? 0n, currency: 'usd', rate: null, terms: null, expiresAt: until(cardHours * 60 * minuteMs) }
    if (method === 'pix' && pix)
      return { asked: centsAt(amount, pix.rate), currency: 'brl', rate: formatRate(pix.rate), terms: null, expiresAt: until(pixMinutes * minuteMs) }
    if (method !== 'token' || !token) throw new AppError('payment.method-unavailable')
    const { chainId, price } = token
    const aizAmount = tokensAt(amount, price)
    const asked = parseUnits(aizAmount, await this.decimals(token.chain, token.token))
    const terms = { chainId, token: token.token, treasury: token.treasury, aizAmount }
    return { asked, currency: 'aiz', rate: formatRate(price), terms, expiresAt: until(tokenMinutes * minuteMs) }
  }

  private async decimals(chain: TokenChain, token: string): Promise<number> {
    try {
      return await chain.decimals(token)
    } catch (error) {
      this.deps.log.error({ err: error }, 'the chain cannot be read')
      throw new AppError(failed.token, { cause: error })
    }
  }

  /**
   * The same wish again: what it led to. While another call starts the payment, its answer is waited for; where a start broke off, this one makes the same
   * call, with the same key.
   */
  private async resume(userId: string, found: PaymentRow, wish: { amount: Nano; method: PaymentMethod }): Promise<Payment> {
    if (found.amount !== wish.amount || found.method !== wish.method) throw new AppError('payment.key-reused')
    const { startMs, startLookMs, startWaitMs } = limits.payments
    let row = found
    for (let waitedMs = 0; waitedMs < startWaitMs; waitedMs += startLookMs) {
      if (row.status === 'failed' && row.providerId === null) throw new AppError(failed[row.method])
      if (row.status !== 'pending' || row.providerId !== null || row.method === 'token') return paymentJson(row)
      const askedAt = this.now()
      if (await claimCall(this.deps.db, { userId, id: row.id }, { now: askedAt, afterMs: startMs }))
        return this.begin(userId, { ...row, askedAt }, { isFirst: false })
      await setTimeout(startLookMs)
      const next = await this.own(userId, row.id)
      // The start that was waited for is over, and says nothing.
      if (next.askedAt < row.askedAt && next.status === 'pending' && next.providerId === null) break
      row = next
    }
    throw new AppError('payment.unclear')
  }

  /** Makes the one call that starts a payment, for whoever has claimed it at `askedAt`. Throws {method}-failed, and payment.unclear when it may be started. */
  private async begin(userId: string, row: PaymentRow, { isFirst }: { isFirst: boolean }): Promise<Payment> {
    const { db, ways, log } = this.deps
    if (row.method === 'token') return paymentJson(row)
    const provider = ways[row.method]?.provider
    if (!provider) throw new AppError('payment.method-unavailable')
    const { id, asked, expiresAt } = row
    const claim = this.keepClaim(row)
    try {
      const { email } = await payerOf(db, userId)
      const started = await startOnceMore(() => provider.start({ paymentId: id, cents: asked, email, expiresAt }))
      await claim.end()
      await noteStarted(db, { userId, id }, started, this.now())
    } catch (error) {
      const askedAt = await claim.end()
      log.error({ err: error, paymentId: id, method: row.method }, 'a payment could not be started')
      // Too many calls: that refuses this one, and says nothing of those before it.
      const isRefused = error instanceof ProviderError && error.isRefusal && (isFirst || error.status !== 429)
      if (isRefused) await failUnstarted(db, id, this.now())
      else await releaseStart(db, { id, askedAt })
      throw new AppError(isRefused ? failed[row.method] : 'payment.unclear', { cause: error })
    }
    return this.get(userId, id)
  }

  /** Renews the claim of whoever starts a payment until `end`, which answers the last of it. */
  private keepClaim({ id, askedAt: claimedAt }: PaymentRow): { end(): Promise<Date> } {
    let askedAt = claimedAt
    let renewing = Promise.resolve()
    const renew = async (): Promise<void> => {
      const now = this.now()
      if (await renewStart(this.deps.db, { id, askedAt }, now)) askedAt = now
    }
    const timer = setInterval(() => {
      // Without the database the claim ends; another call with the same key does no harm.
      renewing = renewing.then(renew).catch(() => undefined)
    }, limits.payments.startMs / 4)
    return {
      async end() {
        clearInterval(timer)
        await renewing
        return askedAt
      },
    }
  }

  private async own(userId: string, id: string): Promise<PaymentRow> {
    const row = await findPayment(this.deps.db, { userId, id })
    if (!row) throw new AppError('not-found')
    return row
  }

  private now(): Date {
    return new Date(this.deps.now())
  }
}

/** The same call again, with the same key, while its provider is busy. */
async function startOnceMore<T>(start: () => Promise<T>): Promise<T> {
  const begunAt = performance.now()
  for (const pauseMs of limits.payments.startPausesMs)
    try {
      return await start()
    } catch (error) {
      // A provider that takes its time to say so leaves none for another try.
      const isSoon = performance.now() - begunAt < limits.payments.providerMs / 2
      if (!(error instanceof ProviderError && error.isBusy && isSoon)) throw error
      await setTimeout(pauseMs)
    }
  return start()
}
