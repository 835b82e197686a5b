import { setTimeout } from 'node:timers/promises'
import { AppError } from '@parley/contract/errors'
import { serverLimits } from '@parley/contract/limits/server'
import type { Nano } from '@parley/contract/money'
import { type PaymentMethod, purchaseAmount } from '@parley/contract/payments'
import { uuidv7 } from '@parley/contract/uuid'
import type { FastifyBaseLogger } from 'fastify'
import type { Db } from '../../db/client'
import { ProviderError } from '../../providers/payments/payment-provider'
import { payerOf } from '../auth/public/payer'
import {
  claimProviderCall,
  failUnstarted,
  releaseStartClaim,
  renewStartClaim,
  storeStarted,
} from './payment-claim-store'
import type { PaymentMethods } from './payment-methods'
import { countOpenPayments, findPayment, findPaymentByKey, insertPayment, type PaymentRow } from './payment-store'
import { paymentTerms, startErrors } from './payment-terms'

type Deps = { db: Db; methods: PaymentMethods; log: FastifyBaseLogger; now: () => number }
export type Purchase = { amount: number; method: PaymentMethod; key: string | undefined }
type Order = { amount: Nano; method: PaymentMethod }

/** Starts payments: inserts the row, then makes the one call that creates the payment at its provider. */
export class PaymentStarter {
  constructor(private readonly deps: Deps) {}

  /**
   * Starts a payment, or returns the one that was started with the same idempotency key. Throws what purchaseAmount
   * returns, payment.method-unavailable, payment.key-reused, {method}-failed, and rate-limited while the person has too
   * many open payments.
   */
  async start(userId: string, { amount: dollars, method, key }: Purchase): Promise<PaymentRow> {
    const { db, methods, log } = this.deps
    const purchase = purchaseAmount(dollars)
    if ('error' in purchase) throw new AppError(purchase.error)
    const order = { amount: purchase.amount, method }
    // Counted before the lookup by key: a concurrent call with the same key may be starting the last allowed payment.
    const open = await countOpenPayments(db, userId)
    const earlier = key === undefined ? undefined : await findPaymentByKey(db, userId, key)
    if (earlier) return this.resume(userId, earlier, order)
    if (open >= serverLimits.payments.mostOpen) throw new AppError('rate-limited')
    const at = this.now()
    const id = uuidv7()
    const terms = await paymentTerms(methods, { ...order, at, log })
    const isNew = await insertPayment(db, {
      id,
      userId,
      ...order,
      status: 'pending',
      ...terms,
      idempotencyKey: key ?? null,
      createdAt: at,
      updatedAt: at,
      checkedAt: at,
    })
    // The call that inserted the row has the first claim: `checkedAt`.
    if (isNew) return this.startAtProvider(userId, await this.find(userId, id), { isFirst: true })
    // A concurrent call with the same key has inserted it.
    const concurrent = key === undefined ? undefined : await findPaymentByKey(db, userId, key)
    if (!concurrent) throw new AppError('conflict')
    return this.resume(userId, concurrent, order)
  }

  /**
   * Creates the payment at its provider, for the caller that has claimed it at `checkedAt`. `isFirst` is false where an
   * earlier call may have created it. Throws {method}-failed, and payment.unclear if it may have been created.
   */
  async startAtProvider(userId: string, row: PaymentRow, { isFirst }: { isFirst: boolean }): Promise<PaymentRow> {
    const { db, methods, log } = this.deps
    if (row.method === 'token') return row
    const provider = methods[row.method]?.provider
    if (!provider) throw new AppError('payment.method-unavailable')
    const { id, amountDue: cents, expiresAt } = row
    const claim = this.keepClaim(row)
    try {
      const { email } = await payerOf(db, userId)
      const started = await retryWhileBusy(() => provider.start({ paymentId: id, cents, email, expiresAt }))
      await claim.end()
      await storeStarted(db, { userId, id }, started, this.now())
    } catch (error) {
      const checkedAt = await claim.end()
      log.error({ err: error, paymentId: id, method: row.method }, 'a payment could not be started')
      // A rate limit refuses this call only: an earlier one may have been successful.
      const isRefused = error instanceof ProviderError && error.isRefusal && (isFirst || error.status !== 429)
      if (isRefused) await failUnstarted(db, id, this.now())
      else await releaseStartClaim(db, { id, checkedAt })
      throw new AppError(isRefused ? startErrors[row.method] : 'payment.unclear', { cause: error })
    }
    return this.find(userId, id)
  }

  /**
   * Returns what the first call with this idempotency key has started. While that call is running, this one waits for
   * it; if it has failed without an answer, this one repeats it with the same key.
   */
  private async resume(userId: string, first: PaymentRow, order: Order): Promise<PaymentRow> {
    if (first.amount !== order.amount || first.method !== order.method) throw new AppError('payment.key-reused')
    const { startMs, startLookMs, startWaitMs } = serverLimits.payments
    let row = first
    for (let waitedMs = 0; waitedMs < startWaitMs; waitedMs += startLookMs) {
      if (row.status === 'failed' && row.providerId === null) throw new AppError(startErrors[row.method])
      if (row.status !== 'pending' || row.providerId !== null || row.method === 'token') return row
      const checkedAt = this.now()
      if (await claimProviderCall(this.deps.db, { userId, id: row.id }, { now: checkedAt, afterMs: startMs }))
        return this.startAtProvider(userId, { ...row, checkedAt }, { isFirst: false })
      await setTimeout(startLookMs)
      const next = await this.find(userId, row.id)
      // The other call has released its claim: it does not know whether the payment was created.
      if (next.checkedAt < row.checkedAt && next.status === 'pending' && next.providerId === null) break
      row = next
    }
    throw new AppError('payment.unclear')
  }

  /** Renews a claim until `end` is called, which returns its last `checkedAt`. */
  private keepClaim({ id, checkedAt: claimedAt }: PaymentRow): { end(): Promise<Date> } {
    let checkedAt = claimedAt
    let renewing = Promise.resolve()
    const renew = async (): Promise<void> => {
      const now = this.now()
      if (await renewStartClaim(this.deps.db, { id, checkedAt }, now)) checkedAt = now
    }
    const timer = setInterval(() => {
      // Without the database the claim expires; another call with the same key is harmless.
      renewing = renewing.then(renew).catch(() => undefined)
    }, serverLimits.payments.startMs / 4)
    return {
      async end() {
        clearInterval(timer)
        await renewing
        return checkedAt
      },
    }
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

/** Repeats the call, with the same idempotency key, while the provider is busy. */
async function retryWhileBusy<T>(start: () => Promise<T>): Promise<T> {
  const startedAt = performance.now()
  for (const pauseMs of serverLimits.payments.startPausesMs)
    try {
      return await start()
    } catch (error) {
      // After a slow refusal there is no time left for another call.
      const hasTime = performance.now() - startedAt < serverLimits.payments.providerMs / 2
      if (!(error instanceof ProviderError && error.isBusy && hasTime)) throw error
      await setTimeout(pauseMs)
    }
  return start()
}
