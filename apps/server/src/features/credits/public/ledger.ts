import { AppError } from '@parley/contract/errors'
import { serverLimits } from '@parley/contract/limits/server'
import { least, minus, type Nano, negated, noMoney } from '@parley/contract/money'
import type { Db } from '../../../db/client'
import { payDebt, spendableOf } from '../balance'
import { checkLedger, type LedgerReport } from '../ledger-check-store'
import {
  changeBalance,
  ensureAccount,
  findBalance,
  findTransaction,
  hasTransaction,
  insertEntries,
  insertTransaction,
  lockBalance,
  platformAccounts,
} from '../ledger-store'

/** `oncePerPerson` is the common prefix of all keys of the same gift. */
type OneTimeGrant = {
  userId: string
  amount: Nano
  key: string
  earlier: readonly string[]
  oncePerPerson: string
}
/** An amount below zero reverses an earlier refund. `sequence` numbers the refunds of a payment. */
type Refund = { paymentId: string; amount: Nano; sequence: number }
type Posting = { accountId: string; amount: Nano; transactionId: string }

/**
 * The credits of all people, as an append-only double-entry ledger. Each operation is one
 * short transaction without network calls, and idempotent. Where an operation takes a `db`, it joins the transaction of
 * its caller. Spendable money changes only under the lock of one row for each person. Locks are taken in the order
 * hold, transaction key, balance, and never for two people.
 */
export class LedgerService {
  constructor(private readonly deps: { db: Db; now: () => number }) {}

  /** The posted balance. It includes what open holds reserve: that is charged when their answers end. */
  async balance(userId: string): Promise<Nano> {
    return (await findBalance(this.deps.db, userId))?.posted ?? noMoney
  }

  /** The balance without what open holds reserve. */
  async spendable(userId: string): Promise<Nano> {
    return spendableOf(await findBalance(this.deps.db, userId))
  }

  /** A gift of the operator. False if the key was used for the same grant; throws conflict if for another one. */
  async grant(db: Db, { userId, amount, key }: { userId: string; amount: Nano; key: string }): Promise<boolean> {
    return this.credit(db, { userId, amount, kind: 'grant', idem: `grant:${key}` })
  }

  /**
   * As `grant`, but false if anybody has received a grant with the key or one of its `earlier` forms, or if this person
   * has received one with the prefix `oncePerPerson`.
   */
  async grantOnce(db: Db, { userId, amount, key, earlier, oncePerPerson }: OneTimeGrant): Promise<boolean> {
    for (const each of [key, ...earlier]) if ((await findTransaction(db, `grant:${each}`)) !== undefined) return false
    return (
      !(await hasTransaction(db, { userId, idemPrefix: `grant:${oncePerPerson}` })) &&
      this.grant(db, { userId, amount, key })
    )
  }

  /** The credits of a completed payment, once for each payment. */
  async purchase(
    db: Db,
    { userId, amount, paymentId }: { userId: string; amount: Nano; paymentId: string },
  ): Promise<boolean> {
    return this.credit(db, { userId, amount, kind: 'purchase', idem: `purchase:${paymentId}` })
  }

  /**
   * Takes back credits of a payment that was refunded. Credits that are spent already become a debt: until it is paid,
   * the person cannot ask a model that costs money, and credits that come in or are released pay it first. Each refund
   * is applied once. False if it was applied before, or if there is no such purchase.
   */
  async refund(db: Db, { paymentId, amount, sequence }: Refund): Promise<boolean> {
    return db.transaction(async (tx) => {
      const purchase = await findTransaction(tx, `purchase:${paymentId}`)
      const accountId = purchase?.entries.find(({ isPerson }) => isPerson)?.accountId
      if (accountId === undefined || amount === noMoney) return false
      const transactionId = await insertTransaction(tx, {
        idem: `refund:${paymentId}:${sequence}`,
        kind: 'refund',
        at: this.now(),
      })
      if (transactionId === undefined) return false
      if (amount < noMoney)
        await this.postCredit(tx, { accountId, amount: negated(amount), from: 'psp_clearing', transactionId })
      else await this.postRefund(tx, { accountId, amount, transactionId })
      return true
    })
  }

  /** Checks all rules of the ledger. It reports what breaks them and changes nothing. */
  async check(): Promise<LedgerReport> {
    return checkLedger(this.deps.db, new Date(this.deps.now() - serverLimits.credits.oldestHoldMs))
  }

  private async credit(
    db: Db,
    { userId, amount, kind, idem }: { userId: string; amount: Nano; kind: 'grant' | 'purchase'; idem: string },
  ): Promise<boolean> {
    if (amount <= noMoney) throw new AppError('validation')
    return db.transaction(async (tx) => {
      const accountId = await ensureAccount(tx, userId)
      const transactionId = await insertTransaction(tx, { idem, kind, at: this.now() })
      if (transactionId === undefined) {
        const earlier = (await findTransaction(tx, idem))?.entries.find(({ isPerson }) => isPerson)
        if (earlier?.accountId !== accountId || earlier.amount !== amount) throw new AppError('conflict')
        return false
      }
      await this.postCredit(tx, { accountId, amount, from: kind === 'grant' ? 'promo' : 'psp_clearing', transactionId })
      return true
    })
  }

  private async postCredit(
    tx: Db,
    { accountId, amount, from, transactionId }: Posting & { from: 'promo' | 'psp_clearing' },
  ): Promise<void> {
    const after = await changeBalance(tx, { accountId, posted: amount, held: noMoney, owed: noMoney })
    await insertEntries(tx, transactionId, [
      { accountId: platformAccounts[from], amount: negated(amount) },
      { accountId, amount, balance: after.posted },
    ])
    await payDebt(tx, after, { source: transactionId, at: this.now() })
  }

  private async postRefund(tx: Db, { accountId, amount, transactionId }: Posting): Promise<void> {
    const taken = least(amount, spendableOf(await lockBalance(tx, accountId)))
    const owed = minus(amount, taken)
    const { posted } = await changeBalance(tx, { accountId, posted: negated(taken), held: noMoney, owed })
    await insertEntries(tx, transactionId, [
      { accountId, amount: negated(taken), balance: posted },
      { accountId: platformAccounts.platform_loss, amount: negated(owed) },
      { accountId: platformAccounts.psp_clearing, amount },
    ])
  }

  private now(): Date {
    return new Date(this.deps.now())
  }
}
