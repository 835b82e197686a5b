import { AppError } from '@parley/contract/errors'
import { minus, type Nano, noMoney, share } from '@parley/contract/money'
import type { PaymentStatus } from '@parley/contract/payments'
import type { FastifyBaseLogger } from 'fastify'
import type { Db } from '../../db/client'
import type { ListedPayment, ProviderPayment } from '../../providers/payments/payment-provider'
import type { CreditNews } from './credit-news-service'
import type { LedgerService } from './ledger-service'
import { advancePayment, lockPayment, type PaymentRow, useTransfer } from './payment-store'

type Deps = { db: Db; ledger: LedgerService; news: CreditNews; log: FastifyBaseLogger; onCredited?: () => void; now: () => number }
type Money = { returned: Nano; transactionId?: string | undefined }

const rank: Record<PaymentStatus, number> = { pending: 0, failed: 1, expired: 1, completed: 2, refunded: 3 }

/** The only place where payments go on: in one transaction with the ledger, under the payment's lock, so that each grants once and takes back what went back. */
export class PaymentProgress {
  constructor(private readonly deps: Deps) {}

  /**
   * Takes over what a provider says. What does not fit the payment changes nothing and is logged for the operator. `seen`: the payment before the
   * provider was asked. False when money went back since: it goes both ways, so that the answer may be out of date; ask again.
   */
  async takeOver(id: string, found: ListedPayment, seen: PaymentRow | undefined): Promise<boolean> {
    let isOvertaken = false
    await this.step(id, async (tx, given) => {
      const { status, transactionId, providerId } = found
      if (status !== 'completed') return rank[status] > rank[given.status] ? advancePayment(tx, id, { status, ...known(transactionId), at: this.now() }) : given
      if (!this.fits(given, found)) return given
      // Of a start without an answer, the provider's id is not known yet: reconciliation asks for the payment by it.
      const row = given.providerId === null ? await advancePayment(tx, id, { status: given.status, providerId, at: this.now() }) : given
      const returned = share(row.amount, found.returned, found.received)
      // What went back whole before it was granted shows in the status alone.
      const isUngranted = row.status === 'refunded' && row.creditedAt === null
      const hasMoved = isUngranted ? seen?.status !== 'refunded' : row.returns !== (seen?.returns ?? 0)
      isOvertaken = hasMoved && returned !== (isUngranted ? row.amount : row.returned)
      return isOvertaken ? row : this.come(tx, row, { returned, transactionId })
    })
    return !isOvertaken
  }

  /** Completes a token payment by a transfer that was found good, unless the transfer has paid another one: throws payment.token-failed. */
  async completeByTransfer(id: string, chainId: number, hash: string): Promise<PaymentRow | undefined> {
    return this.step(id, async (tx, row) => {
      if (rank[row.status] >= rank.completed) return row
      const isOurs = await useTransfer(tx, { chainId, hash, paymentId: id, usedAt: this.now() })
      if (!isOurs) throw new AppError('payment.token-failed')
      return this.come(tx, row, { returned: noMoney, transactionId: hash })
    })
  }

  /** Whoever's credits it changed is told, once that stands for good. */
  private async step(id: string, go: (tx: Db, row: PaymentRow) => Promise<PaymentRow>): Promise<PaymentRow | undefined> {
    const [before, after] = await this.deps.db.transaction(async (tx) => {
      const row = await lockPayment(tx, id)
      return row ? [row, await go(tx, row)] : []
    })
    if (!before || !after) return undefined
    const isCredited = after.creditedAt !== null && before.creditedAt === null
    if (isCredited) this.deps.onCredited?.()
    if ((isCredited || after.returns > before.returns) && after.userId !== null) await this.deps.news.changed(after.userId)
    return after
  }

  /** The money came, and of the credits so much goes back as went back of it. */
  private async come(tx: Db, row: PaymentRow, { returned, transactionId }: Money): Promise<PaymentRow> {
    const status = returned === row.amount ? 'refunded' : 'completed'
    const at = this.now()
    // What went back whole before it was ever granted has nothing to take back.
    const granted = row.creditedAt === null && status === 'completed' ? await this.grant(tx, row, transactionId) : row
    if (granted.creditedAt === null || granted.returned === returned)
      return granted.status === status ? granted : advancePayment(tx, row.id, { status, ...known(transactionId), at })
    const returns = granted.returns + 1
    await this.deps.ledger.refund(tx, { paymentId: row.id, amount: minus(returned, granted.returned), nth: returns })
    return advancePayment(tx, row.id, { status, returned, returns, at })
  }

  private async grant(tx: Db, row: PaymentRow, transactionId: string | undefined): Promise<PaymentRow> {
    const { ledger, log } = this.deps
    if (row.userId === null) {
      if (row.status !== 'completed') log.warn({ paymentId: row.id }, 'a payment of an account that is gone was completed')
      return row
    }
    await ledger.purchase(tx, { userId: row.userId, amount: row.amount, paymentId: row.id })
    const at = this.now()
    return advancePayment(tx, row.id, { status: 'completed', ...known(transactionId), creditedAt: at, at })
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

function known(transactionId: string | undefined): { transactionId?: string } {
  return transactionId === undefined ? {} : { transactionId }
}
