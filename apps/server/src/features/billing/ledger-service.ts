import { type CreditMovement, leastToSend } from '@parley/contract/billing'
import { AppError } from '@parley/contract/errors'
import { limits } from '@parley/contract/limits'
import { formatDollars, least, minus, type Nano, negated, noMoney, type TokenCount } from '@parley/contract/money'
import { uuidv7 } from '@parley/contract/uuid'
import type { Db } from '../../db/client'
import { checkLedger, type LedgerReport } from './ledger-check-store'
import {
  addEntries,
  type Balance,
  beginTransaction,
  changeBalance,
  endHold,
  ensureAccount,
  extendHolds,
  findBalance,
  findHold,
  findTransaction,
  type Hold,
  hasTransaction,
  insertHold,
  listMovements,
  lockBalance,
  lockHold,
  lockHoldById,
  lockOrphan,
  ownAccounts,
  setAside,
  takeUntold,
  type Untold,
} from './ledger-store'

type Message = { userId: string; messageId: string }
/** `amount`: the most that the answer can cost; where that depends on what there is, what is kept of it, or undefined when it is too little. */
export type Reservation = Message & { amount: Nano | ((spendable: Nano) => Nano | undefined); model: string }
/** `cost` is what the person is to pay, however much was held; `usage` where it is known. */
export type Settlement = Message & {
  cost: Nano
  usage?: TokenCount | undefined
  /** What the gateway calls the answer, where it can be asked for its cost afterwards. */
  generationRef?: string | undefined
}
/** `oncePerPerson`: how all keys of the same gift begin. */
type GiftOnce = { userId: string; amount: Nano; key: string; earlier: readonly string[]; oncePerPerson: string }
type Return = { paymentId: string; amount: Nano; nth: number }
type Movement = { accountId: string; amount: Nano; transactionId: string }
/** What was paid, and what the person can spend now. `isNew`: this very call charged it. */
export type Settled = { charged: Nano; spendable: Nano; isNew: boolean }

/**
 * Everybody's credits, as RELIABILITY section 4 designs them: double entry, append-only, each operation one short transaction that spans no network call
 * and may be repeated. Where an operation takes a `db` it joins the transaction that it is given. Spendable money changes under the lock of one row
 * for each person; locks are taken in the order hold, transaction key, balance, and never those of two people. A hold that is being made is nobody
 * else's yet: there the balance comes first.
 */
export class LedgerService {
  constructor(private readonly deps: { db: Db; now: () => number }) {}

  /** What the person has. What answers under way may cost is still in it: it goes when they end. */
  async balance(userId: string): Promise<Nano> {
    return (await findBalance(this.deps.db, userId))?.posted ?? noMoney
  }

  /** What the person can spend now: what open holds keep aside is not in it. */
  async spendable(userId: string): Promise<Nano> {
    return spendableOf(await findBalance(this.deps.db, userId))
  }

  /**
   * Keeps aside what an answer can cost at most; until then no model is asked. A message that has a hold, open or over, gets no second one: false.
   * Throws credits.minimum, credits.not-enough or credits.owed, and has then kept nothing.
   */
  async reserve(db: Db, { userId, messageId, amount, model }: Reservation): Promise<boolean> {
    return db.transaction(async (tx) => {
      const known = await findBalance(tx, userId)
      if (!known) throw new AppError('credits.minimum')
      const { accountId } = known
      if (await findHold(tx, { userId, messageId })) return false
      const kept = typeof amount === 'function' ? amount(spendableOf(await lockBalance(tx, accountId))) : amount
      if (kept === undefined) throw await this.refusal(tx, userId)
      const createdAt = this.now()
      const hold = { id: uuidv7(), accountId, messageId, amount: kept, state: 'held' as const, produced: noMoney, model, createdAt, expiresAt: this.holdEnd() }
      if (!(await insertHold(tx, hold))) return false
      if (!(await setAside(tx, { accountId, amount: kept, least: leastToSend }))) throw await this.refusal(tx, userId)
      return true
    })
  }

  /** Keeps holds alive while their answers are being written, and notes what each would cost if it ended here. Answers the messages whose holds are open. */
  async extend(db: Db, notes: readonly Settlement[]): Promise<Set<string>> {
    if (notes.length === 0) return new Set()
    return extendHolds(db, notes.map(noteOf), this.holdEnd())
  }

  /** Instead of `settle`, where the gateway is asked for the cost after the answer's end: until it tells, the hold stays open. Belongs into the same transaction. */
  async postpone(db: Db, note: Settlement & { generationRef: string }): Promise<void> {
    await extendHolds(db, [noteOf(note)], new Date(this.deps.now() + limits.credits.askCostMs))
  }

  /** The next hold whose cost is to be asked for. Where nobody tells it after the last try, `settleUntold` is given what was noted. */
  async takeUntold(): Promise<Untold | undefined> {
    return takeUntold(this.deps.db, this.now())
  }

  /** Ends such a hold. As `settle`, it charges once and never more than was held. */
  async settleUntold(db: Db, { id, cost, usage }: { id: string; cost: Nano; usage: TokenCount | undefined }): Promise<Settled | undefined> {
    return db.transaction(async (tx) => {
      const hold = await lockHoldById(tx, id)
      return hold && this.end(tx, hold, cost, usage)
    })
  }

  /**
   * Ends a hold: the cost is paid, the rest is free again. It belongs into the transaction that ends the answer, so that no answer is final and unpaid
   * or paid and not final. Never more than was held; what an answer cost beyond it is the platform's loss. A cost of 0 releases the hold.
   * Repeated, it answers what the first call charged. Undefined without a hold: the answer was free, or the person's account is gone.
   */
  async settle(db: Db, { userId, messageId, cost, usage }: Settlement): Promise<Settled | undefined> {
    return db.transaction(async (tx) => {
      const hold = await lockHold(tx, { userId, messageId })
      return hold && this.end(tx, hold, cost, usage)
    })
  }

  /**
   * Ends a hold at what its answer was noted to have produced: for whoever finds an answer whose writer is gone. `usage`: the tokens, where they were noted.
   * Where the gateway can be asked for the cost, the hold stays open for that: undefined.
   */
  async settleProduced(db: Db, { userId, messageId }: Message): Promise<(Settled & { usage: TokenCount | undefined }) | undefined> {
    return db.transaction(async (tx) => {
      const hold = await lockHold(tx, { userId, messageId })
      if (!hold) return undefined
      const { inputTokens, outputTokens, generationRef } = hold
      if (hold.state === 'held' && generationRef !== null) {
        await this.postpone(tx, { userId, messageId, cost: hold.produced, generationRef })
        return undefined
      }
      const usage = inputTokens === null || outputTokens === null ? undefined : { inputTokens, outputTokens }
      return { ...(await this.end(tx, hold, hold.produced)), usage }
    })
  }

  /** What a message was charged; undefined while it is held, and where nothing was. */
  async charged(message: Message): Promise<Nano | undefined> {
    return (await findHold(this.deps.db, message))?.charged ?? undefined
  }

  /** A gift of the operator. False when `key` was used for the same gift; throws conflict when for another. */
  async grant(db: Db, { userId, amount, key }: { userId: string; amount: Nano; key: string }): Promise<boolean> {
    return this.credit(db, { userId, amount, kind: 'grant', idem: `grant:${key}` })
  }

  /** As `grant`, once for a key whoever it was given to then, or for one of its `earlier` forms; and once for a person, of all keys that begin alike. */
  async grantOnce(db: Db, { userId, amount, key, earlier, oncePerPerson }: GiftOnce): Promise<boolean> {
    for (const each of [key, ...earlier]) if ((await findTransaction(db, `grant:${each}`)) !== undefined) return false
    return !(await hasTransaction(db, { userId, idemPrefix: `grant:${oncePerPerson}` })) && this.grant(db, { userId, amount, key })
  }

  /** The credits of a payment that is complete, once for each payment. */
  async purchase(db: Db, { userId, amount, paymentId }: { userId: string; amount: Nano; paymentId: string }): Promise<boolean> {
    return this.credit(db, { userId, amount, kind: 'purchase', idem: `purchase:${paymentId}` })
  }

  /**
   * Takes credits of a payment back that was returned, or gives them again (an amount below zero) when it came in after all. What is spent already is the
   * platform's loss for now: the person owes it, sends nothing that costs, and what comes in or is set free next pays it off. `nth`: each of a payment's
   * returns happens once. False when it did before, or there is no such purchase.
   */
  async refund(db: Db, { paymentId, amount, nth }: Return): Promise<boolean> {
    return db.transaction(async (tx) => {
      const accountId = (await findTransaction(tx, `purchase:${paymentId}`))?.entries.find(({ isPerson }) => isPerson)?.accountId
      if (accountId === undefined || amount === noMoney) return false
      const transactionId = await beginTransaction(tx, { idem: `refund:${paymentId}:${nth}`, kind: 'refund', at: this.now() })
      if (transactionId === undefined) return false
      if (amount < noMoney) await this.comeIn(tx, { accountId, amount: negated(amount), from: 'psp_clearing', transactionId })
      else await this.takeBack(tx, { accountId, amount, transactionId })
      return true
    })
  }

  /** Ends holds that nobody extends any more, each at what its answer had produced. Answers how many. Nodes that sweep at once share the work. */
  async sweep(): Promise<number> {
    for (let swept = 0; ; swept++) {
      if (swept === limits.credits.sweepBatch) return swept
      const isOne = await this.deps.db.transaction(async (tx) => {
        const orphan = await lockOrphan(tx, this.now())
        return orphan !== undefined && (await this.end(tx, orphan, orphan.produced)).isNew
      })
      if (!isOne) return swept
    }
  }

  async history(
    userId: string,
    { page, size }: { page: number; size: number },
  ): Promise<{ data: CreditMovement[]; page: number; size: number; total: number }> {
    const { rows, total } = await listMovements(this.deps.db, userId, { page, size })
    const data = rows.map(({ id, at, kind, amount, balance, messageId, model, inputTokens, outputTokens }) => ({
      id: String(id),
      time: at.toISOString(),
      kind,
      amount: formatDollars(amount),
      balance: formatDollars(balance),
      ...(messageId === null ? {} : { messageId }),
      ...(model === null ? {} : { model }),
      ...(inputTokens === null ? {} : { inputTokens }),
      ...(outputTokens === null ? {} : { outputTokens }),
    }))
    return { data, page, size, total }
  }

  /** Proves the sums: whatever is wrong is named, nothing is put right by itself. */
  async check(): Promise<LedgerReport> {
    return checkLedger(this.deps.db, new Date(this.deps.now() - limits.credits.oldestHoldMs))
  }

  private async end(tx: Db, hold: Hold, cost: Nano, usage?: TokenCount): Promise<Settled> {
    const { id, accountId, amount } = hold
    if (hold.charged !== null) return { charged: hold.charged, spendable: spendableOf(await lockBalance(tx, accountId)), isNew: false }
    const charged = least(cost, amount)
    await endHold(tx, { id, accountId, charged, ...usage, endedAt: this.now() })
    const after = await changeBalance(tx, { accountId, posted: negated(charged), held: negated(amount), owed: noMoney })
    if (charged !== noMoney) await this.pay(tx, { holdId: id, accountId, charged, cost, balance: after.posted })
    return { charged, spendable: spendableOf(await this.payOff(tx, after, id)), isNew: true }
  }

  private async pay(tx: Db, paid: { holdId: string; accountId: string; charged: Nano; cost: Nano; balance: Nano }): Promise<void> {
    const { holdId, accountId, charged, cost, balance } = paid
    const transactionId = await beginTransaction(tx, { idem: `settle:${holdId}`, kind: 'settle', holdId, at: this.now() })
    if (transactionId === undefined) throw new Error('a hold was settled before it ended')
    await addEntries(tx, transactionId, [
      { accountId, amount: negated(charged), balance },
      { accountId: ownAccounts.platform_loss, amount: minus(charged, cost) },
      { accountId: ownAccounts.revenue, amount: cost },
    ])
  }

  private async credit(db: Db, gift: { userId: string; amount: Nano; kind: 'grant' | 'purchase'; idem: string }): Promise<boolean> {
    const { userId, amount, kind, idem } = gift
    if (amount <= noMoney) throw new AppError('validation')
    return db.transaction(async (tx) => {
      const accountId = await ensureAccount(tx, userId)
      const at = this.now()
      const transactionId = await beginTransaction(tx, { idem, kind, at })
      if (transactionId === undefined) {
        const done = (await findTransaction(tx, idem))?.entries.find(({ isPerson }) => isPerson)
        if (done?.accountId !== accountId || done.amount !== amount) throw new AppError('conflict')
        return false
      }
      await this.comeIn(tx, { accountId, amount, from: kind === 'grant' ? 'promo' : 'psp_clearing', transactionId })
      return true
    })
  }

  private async comeIn(tx: Db, { accountId, amount, from, transactionId }: Movement & { from: 'promo' | 'psp_clearing' }): Promise<void> {
    const after = await changeBalance(tx, { accountId, posted: amount, held: noMoney, owed: noMoney })
    await addEntries(tx, transactionId, [
      { accountId: ownAccounts[from], amount: negated(amount) },
      { accountId, amount, balance: after.posted },
    ])
    await this.payOff(tx, after, transactionId)
  }

  private async takeBack(tx: Db, { accountId, amount, transactionId }: Movement): Promise<void> {
    const taken = least(amount, spendableOf(await lockBalance(tx, accountId)))
    const lost = minus(amount, taken)
    const { posted } = await changeBalance(tx, { accountId, posted: negated(taken), held: noMoney, owed: lost })
    await addEntries(tx, transactionId, [
      { accountId, amount: negated(taken), balance: posted },
      { accountId: ownAccounts.platform_loss, amount: negated(lost) },
      { accountId: ownAccounts.psp_clearing, amount },
    ])
  }

  /** What somebody owes, as far as they have it: of what has just come in, or was just set free. `source`: which of these, each pays off once. Answers the balance after it. */
  private async payOff(tx: Db, balance: Balance, source: string): Promise<Balance> {
    const { accountId, owed } = balance
    const paid = least(owed, spendableOf(balance))
    if (paid === noMoney) return balance
    const transactionId = await beginTransaction(tx, { idem: `owed:${source}`, kind: 'refund', at: this.now() })
    if (transactionId === undefined) throw new Error('a debt was paid off twice')
    const after = await changeBalance(tx, { accountId, posted: negated(paid), held: noMoney, owed: negated(paid) })
    await addEntries(tx, transactionId, [
      { accountId, amount: negated(paid), balance: after.posted },
      { accountId: ownAccounts.platform_loss, amount: paid },
    ])
    return after
  }

  /** Read after the refusal: it says what stood against it, or what does now. A debt first: with it, a dollar would not be enough. */
  private async refusal(tx: Db, userId: string): Promise<AppError> {
    const balance = await findBalance(tx, userId)
    if (balance && balance.owed > noMoney) return new AppError('credits.owed')
    return new AppError(!balance || balance.posted < leastToSend ? 'credits.minimum' : 'credits.not-enough')
  }

  private now(): Date {
    return new Date(this.deps.now())
  }

  private holdEnd(): Date {
    return new Date(this.deps.now() + limits.credits.holdMs)
  }
}

const noteOf = ({ userId, messageId, cost, usage, generationRef }: Settlement) => ({ userId, messageId, produced: cost, ...usage, generationRef })

function spendableOf(balance: Balance | undefined): Nano {
  return balance ? minus(balance.posted, balance.held) : noMoney
}
