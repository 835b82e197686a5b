import type { IncomingHttpHeaders } from 'node:http'
import type { PaymentOffer } from '@parley/contract/config'
import { AppError } from '@parley/contract/errors'
import { serverLimits } from '@parley/contract/limits/server'
import type { Payment } from '@parley/contract/payments'
import type { FastifyBaseLogger } from 'fastify'
import type { Db } from '../../db/client'
import type { CreditEvents } from '../credits/public/credit-events'
import type { LedgerService } from '../credits/public/ledger'
import { claimDuePayments, claimProviderCall } from './payment-claim-store'
import { paymentJson } from './payment-json'
import type { PaymentMethods } from './payment-methods'
import { PaymentProgress } from './payment-progress'
import { PaymentStarter, type Purchase } from './payment-starter'
import { expirePayment, findPayment, listPayments, type PaymentRow } from './payment-store'
import { paymentOffer } from './payment-terms'
import { syncFromProvider } from './provider-sync'
import { TokenPaymentService } from './token-payment-service'
import { deleteOldEvents, finishEvent, receiveEvent } from './webhook-store'

type Deps = {
  db: Db
  ledger: LedgerService
  creditEvents: CreditEvents
  methods: PaymentMethods
  log: FastifyBaseLogger
  /** Called after the credits of a payment were granted and committed. */
  onCredited?: () => void
  now: () => number
}
type WebhookRequest = { raw: Buffer; headers: IncomingHttpHeaders; query: URLSearchParams }

const dayMs = 86_400_000

/**
 * Buying credits. A payment is stored here before its provider hears of it. What a webhook or a browser says about it
 * later only makes the server ask the provider, whose answer counts.
 */
export class PaymentService {
  private readonly progress: PaymentProgress
  private readonly starter: PaymentStarter
  private readonly tokens: TokenPaymentService | undefined

  constructor(private readonly deps: Deps) {
    const { token } = deps.methods
    this.progress = new PaymentProgress(deps)
    this.starter = new PaymentStarter(deps)
    this.tokens = token && new TokenPaymentService({ ...deps, chain: token.chain, progress: this.progress })
  }

  offer(): PaymentOffer {
    return paymentOffer(this.deps.methods)
  }

  async list(userId: string): Promise<Payment[]> {
    return (await listPayments(this.deps.db, userId)).map(paymentJson)
  }

  /** Throws not-found. */
  async get(userId: string, id: string): Promise<Payment> {
    return paymentJson(await this.find(userId, id))
  }

  /** Throws as PaymentStarter.start does. */
  async start(userId: string, purchase: Purchase): Promise<Payment> {
    return paymentJson(await this.starter.start(userId, purchase))
  }

  /**
   * Asks the provider for a Pix payment now, unless it was asked a moment ago: then the stored payment is returned.
   * Throws not-found, and payment.pix-failed if the provider does not answer.
   */
  async checkPix(userId: string, id: string): Promise<Payment> {
    const row = await this.find(userId, id)
    if (row.method !== 'pix') throw new AppError('not-found')
    if (row.status !== 'pending') return paymentJson(row)
    if (!this.deps.methods.pix) throw new AppError('payment.pix-failed')
    const now = this.now()
    const afterMs = row.providerId === null ? serverLimits.payments.startMs : serverLimits.payments.checkEveryMs
    if (!(await claimProviderCall(this.deps.db, { userId, id }, { now, afterMs }))) return this.get(userId, id)
    row.checkedAt = now
    try {
      await this.refresh(row)
    } catch (error) {
      this.deps.log.warn({ err: error, paymentId: id }, 'the provider could not be asked for a payment')
      throw new AppError('payment.pix-failed', { cause: error })
    }
    return this.get(userId, id)
  }

  /**
   * Throws as TokenPaymentService.report does, and payment.token-unavailable if only another node accepts the token.
   */
  async reportTransfer(userId: string, id: string, hash: string): Promise<Payment> {
    if (!this.tokens)
      throw new AppError((await this.find(userId, id)).method === 'token' ? 'payment.token-unavailable' : 'not-found')
    return paymentJson(await this.tokens.report(userId, id, hash))
  }

  /**
   * Processes a webhook of a provider. Throws payment.webhook-refused if its signature is invalid, and unavailable if
   * the provider is to send it again.
   */
  async receiveWebhook(provider: 'stripe' | 'mercadopago', request: WebhookRequest): Promise<void> {
    const { db, methods, log } = this.deps
    const method = provider === 'stripe' ? 'card' : 'pix'
    const event = methods[method]?.provider.readWebhook(request)
    if (!event) {
      log.warn({ provider }, 'refused a notification that the payment provider did not sign')
      throw new AppError('payment.webhook-refused')
    }
    const key = { provider, eventId: event.eventId }
    if (!(await receiveEvent(db, key, this.now()))) return
    try {
      const providerId = await event.findPayment()
      if (providerId !== undefined) await this.sync(method, providerId)
    } catch (error) {
      log.warn({ err: error, provider }, 'a notification could not be acted on')
      throw new AppError('unavailable', { cause: error })
    }
    await finishEvent(db, key, this.now())
  }

  /** Checks the due open payments whose method this node has, and expires those that are over. */
  async sweep(): Promise<void> {
    const { db, log } = this.deps
    for (const row of await claimDuePayments(db, this.now(), this.offer().methods)) {
      try {
        await this.refresh(row)
      } catch (error) {
        // The payment stays open.
        log.warn({ err: error, paymentId: row.id, method: row.method }, 'an open payment could not be asked for')
      }
    }
    await deleteOldEvents(db, new Date(this.deps.now() - serverLimits.payments.inboxDays * dayMs))
  }

  /** Asks the provider for a payment and applies its state. Throws ProviderError. */
  async sync(method: 'card' | 'pix', providerId: string): Promise<void> {
    await syncFromProvider({ ...this.deps, progress: this.progress }, method, providerId)
  }

  /**
   * Brings an open payment up to date. Throws if this node does not have its method: while nobody can ask, the money
   * may have come, and the payment must stay open.
   */
  private async refresh(row: PaymentRow): Promise<void> {
    const { db, methods, now } = this.deps
    if (!methods[row.method]) throw new Error('this node does not have the payment method that another one has')
    if (row.method === 'token' && this.tokens) return this.tokens.refresh(row)
    if (row.method !== 'token' && row.providerId !== null) await this.sync(row.method, row.providerId)
    else if (row.userId !== null && row.expiresAt.getTime() > now())
      await this.starter.startAtProvider(row.userId, row, { isFirst: false })
    // This does not change a payment that has just been completed.
    if (row.expiresAt.getTime() <= now()) await expirePayment(db, row, new Date(now()))
  }

  private async find(userId: string, id: string): Promise<PaymentRow> {
    const row = await findPayment(this.deps.db, { userId, id })
    if (!row) throw new AppError('not-found')
    return row
  }

  private now(): Date {
    return new Date(this.deps.now())
  }
}
