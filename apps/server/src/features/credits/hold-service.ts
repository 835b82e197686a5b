import { leastToSend } from '@parley/contract/credits'
import { AppError } from '@parley/contract/errors'
import { serverLimits } from '@parley/contract/limits/server'
import { least, minus, type Nano, negated, noMoney, type TokenCount } from '@parley/contract/money'
import { uuidv7 } from '@parley/contract/uuid'
import type { Db } from '../../db/client'
import { payDebt, spendableOf } from './balance'
import {
  claimUnreportedCost,
  endHold,
  extendHolds,
  findHold,
  type Hold,
  insertHold,
  lockHold,
  lockHoldById,
  lockOrphanedHold,
  type MessageKey,
  type UnreportedCost,
} from './hold-store'
import {
  changeBalance,
  findBalance,
  holdAmount,
  insertEntries,
  insertTransaction,
  lockBalance,
  platformAccounts,
} from './ledger-store'

/**
 * `amount` is the most that the answer can cost. Where that depends on the spendable amount, it is a function of it,
 * which returns undefined if that amount is too small.
 */
export type Reservation = MessageKey & { amount: Nano | ((spendable: Nano) => Nano | undefined); model: string }

/** `cost` is what the person is to pay, whatever amount is held; `usage` is set where it is known. */
export type Settlement = MessageKey & {
  cost: Nano
  usage?: TokenCount | undefined
  /** What of it is charged whatever the gateway reports of the answer later: a search of the web. */
  besideCost?: Nano | undefined
  /** The gateway's id of the answer, where the gateway can be asked for its cost later. */
  generationRef?: string | undefined
}

/**
 * `charged` is what was paid, `spendable` what the person can spend now. `isNew` is false where an earlier call had
 * settled the hold.
 */
export type SettlementResult = { charged: Nano; spendable: Nano; isNew: boolean }

/**
 * Holds the most that an answer can cost before the model is asked, and settles what it did cost. Each operation is one
 * short transaction without network calls, and idempotent. Where an operation takes a `db`, it joins the transaction of
 * its caller. Locks are taken in the order hold, transaction key, balance, and never for two people. Only `reserve`
 * locks the balance first: nobody else knows its hold yet.
 */
export class HoldService {
  constructor(private readonly deps: { db: Db; now: () => number }) {}

  /**
   * Holds an amount for the answer to a message. False, without a second hold, if the message has one, open or ended.
   * Throws credits.minimum, credits.not-enough or credits.owed; then nothing is held.
   */
  async reserve(db: Db, { userId, messageId, amount: limit, model }: Reservation): Promise<boolean> {
    return db.transaction(async (tx) => {
      const known = await findBalance(tx, userId)
      if (!known) throw new AppError('credits.minimum')
      const { accountId } = known
      if (await findHold(tx, { userId, messageId })) return false
      const amount = typeof limit === 'function' ? limit(spendableOf(await lockBalance(tx, accountId))) : limit
      if (amount === undefined) throw await this.refusal(tx, userId)
      const hold = {
        id: uuidv7(),
        accountId,
        messageId,
        amount,
        state: 'held' as const,
        accruedCost: noMoney,
        model,
        createdAt: this.now(),
        expiresAt: this.expiry(),
      }
      if (!(await insertHold(tx, hold))) return false
      if (!(await holdAmount(tx, { accountId, amount, least: leastToSend }))) throw await this.refusal(tx, userId)
      return true
    })
  }

  /**
   * Extends holds while their answers are written, and stores what each answer would cost if it ended now. Returns the
   * messages whose holds are open.
   */
  async extend(db: Db, costs: readonly Settlement[]): Promise<Set<string>> {
    if (costs.length === 0) return new Set()
    return extendHolds(db, costs.map(accruedCostOf), this.expiry())
  }

  /**
   * Replaces `settle` where the gateway reports the cost only after the end of the answer: the hold stays open until
   * then. Belongs in the transaction that ends the answer.
   */
  async awaitCost(db: Db, cost: Settlement & { generationRef: string }): Promise<void> {
    await extendHolds(db, [accruedCostOf(cost)], new Date(this.deps.now() + serverLimits.credits.askCostMs))
  }

  /**
   * Claims the next hold for which the gateway is to be asked for the cost. After the last try without an answer,
   * `settleUnreported` is called with the cost that this server has counted.
   */
  async claimUnreportedCost(): Promise<UnreportedCost | undefined> {
    return claimUnreportedCost(this.deps.db, this.now())
  }

  /** Ends such a hold. As `settle`, it charges once, and at most the held amount. */
  async settleUnreported(
    db: Db,
    { id, cost, usage }: { id: string; cost: Nano; usage: TokenCount | undefined },
  ): Promise<SettlementResult | undefined> {
    return db.transaction(async (tx) => {
      const hold = await lockHoldById(tx, id)
      return hold && this.end(tx, hold, cost, usage)
    })
  }

  /**
   * Ends a hold: charges the cost and releases the rest. It belongs in the transaction that ends the answer, so that an
   * answer is never ended without being paid, nor paid without being ended. At most the held amount is charged; the
   * platform bears what the answer cost beyond it. A cost of 0 releases the hold. A repeated call returns what the
   * first one charged. Undefined if there is no hold: the answer was free, or the person's account is deleted.
   */
  async settle(db: Db, { userId, messageId, cost, usage }: Settlement): Promise<SettlementResult | undefined> {
    return db.transaction(async (tx) => {
      const hold = await lockHold(tx, { userId, messageId })
      return hold && this.end(tx, hold, cost, usage)
    })
  }

  /**
   * Ends a hold at the accrued cost of its answer, whose node has died. `usage` is undefined where no tokens were
   * stored. Where the gateway can be asked for the cost, the hold stays open for that and the result is undefined.
   */
  async settleAccrued(
    db: Db,
    { userId, messageId }: MessageKey,
  ): Promise<(SettlementResult & { usage: TokenCount | undefined }) | undefined> {
    return db.transaction(async (tx) => {
      const hold = await lockHold(tx, { userId, messageId })
      if (!hold) return undefined
      const { inputTokens, outputTokens, generationRef } = hold
      if (hold.state === 'held' && generationRef !== null) {
        await this.awaitCost(tx, { userId, messageId, cost: hold.accruedCost, generationRef })
        return undefined
      }
      const usage = inputTokens === null || outputTokens === null ? undefined : { inputTokens, outputTokens }
      return { ...(await this.end(tx, hold, hold.accruedCost)), usage }
    })
  }

  /** What was charged for a message; undefined while its hold is open, and if it has none. */
  async chargedFor(message: MessageKey): Promise<Nano | undefined> {
    return (await findHold(this.deps.db, message))?.charged ?? undefined
  }

  /**
   * Ends expired holds that no node extends any more, each at the accrued cost of its answer. Returns how many. Nodes
   * that sweep at the same time share the work.
   */
  async sweep(): Promise<number> {
    for (let count = 0; ; count++) {
      if (count === serverLimits.credits.sweepBatch) return count
      const isOne = await this.deps.db.transaction(async (tx) => {
        const orphan = await lockOrphanedHold(tx, this.now())
        return orphan !== undefined && (await this.end(tx, orphan, orphan.accruedCost)).isNew
      })
      if (!isOne) return count
    }
  }

  private async end(tx: Db, hold: Hold, cost: Nano, usage?: TokenCount): Promise<SettlementResult> {
    const { id, accountId, amount } = hold
    if (hold.charged !== null)
      return { charged: hold.charged, spendable: spendableOf(await lockBalance(tx, accountId)), isNew: false }
    const charged = least(cost, amount)
    const endedAt = this.now()
    await endHold(tx, { id, accountId, charged, ...usage, endedAt })
    const after = await changeBalance(tx, { accountId, posted: negated(charged), held: negated(amount), owed: noMoney })
    if (charged !== noMoney) await this.postCharge(tx, hold, { charged, cost, balance: after.posted })
    return { charged, spendable: spendableOf(await payDebt(tx, after, { source: id, at: endedAt })), isNew: true }
  }

  private async postCharge(
    tx: Db,
    { id: holdId, accountId }: Hold,
    { charged, cost, balance }: { charged: Nano; cost: Nano; balance: Nano },
  ): Promise<void> {
    const transactionId = await insertTransaction(tx, {
      idem: `settle:${holdId}`,
      kind: 'settle',
      holdId,
      at: this.now(),
    })
    if (transactionId === undefined) throw new Error('a hold was settled before it ended')
    await insertEntries(tx, transactionId, [
      { accountId, amount: negated(charged), balance },
      { accountId: platformAccounts.platform_loss, amount: minus(charged, cost) },
      { accountId: platformAccounts.revenue, amount: cost },
    ])
  }

  /**
   * Why nothing was held, from the balance as it is after the refusal. A debt is named first: as long as there is one,
   * no amount is enough.
   */
  private async refusal(tx: Db, userId: string): Promise<AppError> {
    const balance = await findBalance(tx, userId)
    if (balance && balance.owed > noMoney) return new AppError('credits.owed')
    return new AppError(!balance || balance.posted < leastToSend ? 'credits.minimum' : 'credits.not-enough')
  }

  private now(): Date {
    return new Date(this.deps.now())
  }

  private expiry(): Date {
    return new Date(this.deps.now() + serverLimits.credits.holdMs)
  }
}

const accruedCostOf = ({ userId, messageId, cost, besideCost = noMoney, usage, generationRef }: Settlement) => ({
  userId,
  messageId,
  accruedCost: cost,
  besideCost,
  ...usage,
  generationRef,
})
