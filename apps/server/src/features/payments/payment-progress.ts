import { AppError } from '@parley/contract/errors'
import { minus, type Nano, noMoney, share } from '@parley/contract/money'
import type { PaymentStatus } from '@parley/contract/payments'
import type { FastifyBaseLogger } from 'fastify'
import type { Db } from '../../db/client'
import type { ListedPayment, ProviderPayment } from '../../providers/payments/payment-provider'
import type { CreditEvents } from '../credits/public/credit-events'
import type { LedgerService } from '../credits/public/ledger'
import { advancePayment, lockPayment, type PaymentRow } from './payment-store'
import { assignTransfer } from './token-transfer-store'

type Deps = {
  db: Db
  ledger: LedgerService
  creditEvents: CreditEvents
  log: FastifyBaseLogger
  onCredited?: () => void
  now: () => number
}
type Receipt = { refundedAmount: Nano; transactionId?: string | undefined }

const rank: Record<PaymentStatus, number> = { pending: 0, failed: 1, expired: 1, completed: 2, refunded: 3 }

/**
 * The only code that completes and refunds payments: in one transaction with the ledger, under the lock of the payment,
 * so that the credits of each payment are granted once and taken back once.
 */
export class PaymentProgress {
  constructor(private readonly deps: Deps) {}

  /**
   * Applies the state that a provider answered. A state that does not match the payment changes nothing and is logged
   * for the operator. `before` is the payment before the provider was asked. False if a refund was applied since: as
   * refunds can also be reversed, the answer may be older than that; the caller asks again.
   */
  async applyProviderState(id: string, state: ListedPayment, before: PaymentRow | undefined): Promise<boolean> {
    let isOutdated = false
    await this.advance(id, async (tx, current) => {
      const { status, transactionId, providerId } = state
      if (status !== 'completed')
        return rank[status] > rank[current.status]
          ? advancePayment(tx, id, { status, ...given(transactionId), at: this.now() })
          : current
      if (!this.matches(current, state)) return current
      // The answer to its start was lost: reconciliation finds the payment at the provider by this id.
      const row =
        current.providerId === null
          ? await advancePayment(tx, id, { status: current.status, providerId, at: this.now() })
          : current
      const refundedAmount = share(row.amount, state.refunded, state.received)
      // A payment that was refunded in full before its credits were granted has no refund count, only the status.
      const isNeverGranted = row.status === 'refunded' && row.creditedAt === null
      const hasChanged = isNeverGranted ? before?.status !== 'refunded' : row.refundCount !== (before?.refundCount ?? 0)
      isOutdated = hasChanged && refundedAmount !== (isNeverGranted ? row.amount : row.refundedAmount)
      return isOutdated ? row : this.applyReceipt(tx, row, { refundedAmount, transactionId })
    })
    return !isOutdated
  }

  /** Completes a token payment by a valid transfer. Throws payment.token-failed if it has paid another payment. */
  async completeByTransfer(id: string, chainId: number, hash: string): Promise<PaymentRow | undefined> {
    return this.advance(id, async (tx, row) => {
      if (rank[row.status] >= rank.completed) return row
      const isAssigned = await assignTransfer(tx, { chainId, hash, paymentId: id, usedAt: this.now() })
      if (!isAssigned) throw new AppError('payment.token-failed')
      return this.applyReceipt(tx, row, { refundedAmount: noMoney, transactionId: hash })
    })
  }

  /** Runs a change of a locked payment. If it changed the person's credits, publishes that after the commit. */
  private async advance(
    id: string,
    change: (tx: Db, row: PaymentRow) => Promise<PaymentRow>,
  ): Promise<PaymentRow | undefined> {
    const [before, after] = await this.deps.db.transaction(async (tx) => {
      const row = await lockPayment(tx, id)
      return row ? [row, await change(tx, row)] : []
    })
    if (!before || !after) return undefined
    const isCredited = after.creditedAt !== null && before.creditedAt === null
    if (isCredited) this.deps.onCredited?.()
    if ((isCredited || after.refundCount > before.refundCount) && after.userId !== null)
      await this.deps.creditEvents.publishChanged(after.userId)
    return after
  }

  /** Grants the credits of money that was received, and takes back the share of it that was refunded. */
  private async applyReceipt(tx: Db, row: PaymentRow, { refundedAmount, transactionId }: Receipt): Promise<PaymentRow> {
    const status = refundedAmount === row.amount ? 'refunded' : 'completed'
    const at = this.now()
    // Credits of a payment that is refunded in full already are never granted.
    const granted = row.creditedAt === null && status === 'completed' ? await this.grant(tx, row, transactionId) : row
    if (granted.creditedAt === null || granted.refundedAmount === refundedAmount)
      return granted.status === status ? granted : advancePayment(tx, row.id, { status, ...given(transactionId), at })
    const refundCount = granted.refundCount + 1
    const amount = minus(refundedAmount, granted.refundedAmount)
    await this.deps.ledger.refund(tx, { paymentId: row.id, amount, sequence: refundCount })
    return advancePayment(tx, row.id, { status, refundedAmount, refundCount, at })
  }

  private async grant(tx: Db, row: PaymentRow, transactionId: string | undefined): Promise<PaymentRow> {
    const { ledger, log } = this.deps
    if (row.userId === null) {
      if (row.status !== 'completed')
        log.warn({ paymentId: row.id }, 'a payment of an account that is gone was completed')
      return row
    }
    await ledger.purchase(tx, { userId: row.userId, amount: row.amount, paymentId: row.id })
    const at = this.now()
    return advancePayment(tx, row.id, { status: 'completed', ...given(transactionId), creditedAt: at, at })
  }

  private matches(row: PaymentRow, { paymentId, received, currency }: ProviderPayment): boolean {
    const isMatch = paymentId === row.id && received === row.amountDue && currency === row.currency
    if (!isMatch) {
      const differs = {
        reference: paymentId !== row.id,
        amount: received !== row.amountDue,
        currency: currency !== row.currency,
      }
      this.deps.log.error(
        { paymentId: row.id, method: row.method, differs },
        'what was paid is not what was asked for: nothing is granted',
      )
    }
    return isMatch
  }

  private now(): Date {
    return new Date(this.deps.now())
  }
}

function given(transactionId: string | undefined): { transactionId?: string } {
  return transactionId === undefined ? {} : { transactionId }
}
