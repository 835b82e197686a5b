import { AppError } from '@parley/contract/errors'
import { serverLimits } from '@parley/contract/limits/server'
import type { FastifyBaseLogger } from 'fastify'
import type { Hex } from 'viem'
import type { Db } from '../../db/client'
import type { ChainTransaction, TokenChain } from '../../providers/payments/token'
import { payerOf } from '../auth/public/payer'
import { transferMark } from './payment-json'
import type { PaymentProgress } from './payment-progress'
import { expirePayment, findPayment, type PaymentRow } from './payment-store'
import { transferRefusal } from './token-transfer-check'
import { storeFoundTransfer, storeNamedTransfer } from './token-transfer-store'

type Deps = { db: Db; progress: PaymentProgress; chain: TokenChain; log: FastifyBaseLogger; now: () => number }

/** `syncedTo`: the time of the newest block that the chain's node had. It knows nothing of later transfers. */
type SearchResult = { found: PaymentRow | AppError | undefined; syncedTo: Date }

/** How soon the client asks again for a transfer that lacks confirmations: about two blocks. */
const retrySeconds = 4

/** Payments with the token. The server reads their transfers from the chain itself. */
export class TokenPaymentService {
  constructor(private readonly deps: Deps) {}

  /**
   * Completes the payment by the transfer that the person names. Throws not-found; payment.unconfirmed while the
   * transfer lacks confirmations, and then the server checks it again by itself; otherwise the reason why it pays
   * nothing. For a completed payment, a hash that the chain does not know is accepted: see `isReplaced`.
   */
  async report(userId: string, id: string, text: string): Promise<PaymentRow> {
    const { db, now } = this.deps
    const hash = hashOf(text)
    const row = await findPayment(db, { userId, id })
    if (row?.method !== 'token') throw new AppError('not-found')
    if (row.creditedAt !== null) {
      if (row.transactionId !== hash && !(await this.isReplaced(row, hash))) throw new AppError('payment.token-failed')
      return row
    }
    const result = await this.tryTransfer(row, hash)
    if (result instanceof AppError) {
      if (result.code === 'payment.unconfirmed') await storeNamedTransfer(db, { userId, id }, hash, new Date(now()))
      throw result
    }
    return result ?? row
  }

  /**
   * Completes an open payment if the transfer that the person named pays it, or one that the server finds; expires it
   * when no transfer can be in time any more.
   */
  async refresh(row: PaymentRow): Promise<void> {
    const { db, log, now } = this.deps
    const named =
      row.transactionId === null ? undefined : await this.tryTransfer(row, hashOf(row.transactionId)).catch(asRefusal)
    if (named !== undefined && !(named instanceof AppError)) return
    const { found, syncedTo } = await this.search(row)
    const refusals = [named, found].flatMap((result) => (result instanceof AppError ? [result.code] : []))
    for (const code of refusals)
      if (code !== 'payment.unconfirmed') log.warn({ paymentId: row.id, code }, 'a transfer pays nothing')
    // A transfer in a block was sent in time, and may take long to be confirmed, even if the other one was refused.
    const isUnconfirmed = refusals.includes('payment.unconfirmed')
    if (this.isOver(row, syncedTo) && !isUnconfirmed) await expirePayment(db, row, new Date(now()))
  }

  /**
   * Searches the chain for transfers that carry the payment's mark: the person may have closed the page before naming
   * one, or the wallet may have replaced it by one with a higher fee.
   */
  private async search(row: PaymentRow): Promise<SearchResult> {
    const { db, chain, now } = this.deps
    const { id, userId, terms, amountDue, createdAt, transactionId } = row
    if (terms === null || userId === null) return { found: new AppError('not-found'), syncedTo: new Date(now()) }
    const maxAgeMs = now() - createdAt.getTime() + serverLimits.payments.chainClockMs
    let refusal: AppError | undefined
    const { hashes, headAt: syncedTo } = await chain.find({
      token: terms.token,
      to: terms.treasury,
      least: amountDue,
      mark: transferMark(id),
      maxAgeMs,
    })
    for (const hash of hashes) {
      if (hash === transactionId) continue
      const result = await this.tryTransfer(row, hash).catch(asRefusal)
      if (!(result instanceof AppError)) return { found: result, syncedTo }
      if (result.code === 'payment.unconfirmed') {
        await storeFoundTransfer(db, { userId, id }, hash, new Date(now()))
        return { found: result, syncedTo }
      }
      refusal = result
    }
    return { found: refusal, syncedTo }
  }

  /** Returns the payment that the transfer has completed, or the error that says why it has not. */
  private async tryTransfer(row: PaymentRow, hash: Hex): Promise<PaymentRow | AppError | undefined> {
    const { db, progress, log } = this.deps
    if (row.terms === null || row.userId === null) return new AppError('not-found')
    const transaction = await this.read(row, hash, row.terms.token)
    const { ethereumAddress } = await payerOf(db, row.userId)
    const code = transferRefusal({ row, transaction, ethereumAddress })
    if (code === undefined) return progress.completeByTransfer(row.id, row.terms.chainId, hash)
    if (transaction.state === 'unknown' && this.isOver(row, transaction.headAt)) return new AppError('payment.expired')
    if (code !== 'payment.unconfirmed') log.info({ paymentId: row.id, code }, 'refused a transfer')
    return new AppError(code, code === 'payment.unconfirmed' ? { retryAfter: retrySeconds } : {})
  }

  /**
   * Whether no transfer can be in time any more. `syncedTo` is the time of the newest block that the chain's node has:
   * if the node is behind, a transfer that was sent in time may be in a block that it does not have yet.
   */
  private isOver({ expiresAt }: PaymentRow, syncedTo: Date): boolean {
    return Math.min(this.deps.now(), syncedTo.getTime()) > expiresAt.getTime() + serverLimits.payments.chainClockMs
  }

  /**
   * Whether another transfer has taken the place of this one: a wallet that repeats a transfer with a higher fee gives
   * it another hash, and the first one never gets into a block.
   */
  private async isReplaced(row: PaymentRow, hash: Hex): Promise<boolean> {
    return row.terms !== null && (await this.read(row, hash, row.terms.token)).state === 'unknown'
  }

  private async read(row: PaymentRow, hash: Hex, token: string): Promise<ChainTransaction> {
    try {
      return await this.deps.chain.read(hash, token)
    } catch (error) {
      this.deps.log.error({ err: error, paymentId: row.id }, 'the chain cannot be read')
      throw new AppError('payment.token-unavailable', { cause: error })
    }
  }
}

/** Returns the refusal of a transfer as a value. While the chain cannot be read there is no result: it throws. */
function asRefusal(error: unknown): AppError {
  if (error instanceof AppError && error.code !== 'payment.token-unavailable') return error
  throw error
}

function hashOf(text: string): Hex {
  return `0x${text.slice(2).toLowerCase()}`
}
