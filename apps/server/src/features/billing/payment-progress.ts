import { AppError } from '@parley/contract/errors'
import type { PaymentStatus } from '@parley/contract/payments'
import type { FastifyBaseLogger } from 'fastify'
import type { Db } from '../../db/client'
import type { ProviderPayment } from '../../providers/payments/payment-provider'
import type { LedgerService } from './ledger-service'
import { advancePayment, lockPayment, type PaymentRow, useTransfer } from './payment-store'

type Deps = { db: Db; ledger: LedgerService; log: FastifyBaseLogger; now: () => number }

const rank: Record<PaymentStatus, number> = { pending: 0, failed: 1, expired: 1, completed: 2, refunded: 3 }

/** The only place where payments go on: in one transaction with the ledger, under the payment's lock, so that each grants once and takes back once. */
export class PaymentProgress {
  constructor(private readonly deps: Deps) {}

  /** Takes over what a provider says. What does not fit the payment changes nothing and is logged for the operator. */
  async takeOver(id: string, found: ProviderPayment): Promise<PaymentRow | undefined> {
    return this.deps.db.transaction(async (tx) => {
      const row = await lockPayment(tx, id)
      if (!row || rank[found.status] <= rank[row.status]) return row
      if (rank[found.status] >= rank.completed && !this.fits(row, found)) return row
      return this.advance(tx, row, found.status, found.transactionId)
    })
  }

  /** Completes a token payment by a transfer that was found good, unless the transfer has paid another one: throws payment.token-failed. */
  async completeByTransfer(id: string, chainId: number, hash: string): Promise<PaymentRow | undefined> {
    return this.deps.db.transaction(async (tx) => {
      const row = await lockPayment(tx, id)
      if (!row || rank[row.status] >= rank.completed) return row
      const isOurs = await useTransfer(tx, { chainId, hash, paymentId: id, usedAt: this.now() })
      if (!isOurs) throw new AppError('payment.token-failed')
      return this.advance(tx, row, 'completed', hash)
    })
  }

  private async advance(tx: Db, row: PaymentRow, status: PaymentStatus, transactionId?: string): Promise<PaymentRow> {
    const { ledger, log } = this.deps
    const at = this.now()
    const known = transactionId === undefined ? {} : { transactionId }
    if (status === 'completed' && row.userId !== null) {
      await ledger.purchase(tx, { userId: row.userId, amount: row.amount, paymentId: row.id })
      return advancePayment(tx, row.id, { status, ...known, creditedAt: at, at })
    }
    if (status === 'completed') log.warn({ paymentId: row.id }, 'a payment of an account that is gone was completed')
    // What was given back before it was ever granted has nothing to take back.
    if (status === 'refunded' && row.creditedAt !== null) await ledger.refund(tx, { paymentId: row.id })
    return advancePayment(tx, row.id, { status, ...known, at })
  }

  private fits(row: PaymentRow, { paymentId, received, currency }: ProviderPayment): boolean {
    const isFitting = paymentId === row.id && received === row.asked && currency === row.currency
    if (!isFitting) {
      const differs = { reference: paymentId !== row.id, amount: received !== row.asked, currency: currency !== row.currency }
      this.deps.log.error({ paymentId: row.id, method: row.method, differs }, 'what was paid is not what was asked for: nothing is granted')
    }
    return isFitting
  }

  private now(): Date {
    return new Date(this.deps.now())
  }
}
