import { AppError } from '@parley/contract/errors'
import { limits } from '@parley/contract/limits'
import type { FastifyBaseLogger } from 'fastify'
import type { Hex } from 'viem'
import type { Db } from '../../db/client'
import type { ChainTransaction, TokenChain } from '../../providers/payments/token'
import { payerOf } from '../auth/payer-service'
import { transferMark } from './payment-json'
import type { PaymentProgress } from './payment-progress'
import { expire, findPayment, noteFound, noteTransfer, type PaymentRow } from './payment-store'
import { transferRefusal } from './token-check'

type Deps = { db: Db; progress: PaymentProgress; chain: TokenChain; log: FastifyBaseLogger; now: () => number }

/** While a block more or less decides, the client asks again after so long. */
const retrySeconds = 4

/** Payments with the token, which the server reads from the chain itself. */
export class TokenPaymentService {
  constructor(private readonly deps: Deps) {}

  /**
   * Completes the payment by the transfer that the person names. Throws not-found, payment.unconfirmed while it is not deep enough in the chain (the
   * server looks again by itself then), and why it pays nothing otherwise. Of a payment that is complete, a transfer that came to nothing was another try.
   */
  async report(userId: string, id: string, given: string): Promise<PaymentRow> {
    const { db, now } = this.deps
    const hash = hashOf(given)
    const row = await findPayment(db, { userId, id })
    if (row?.method !== 'token') throw new AppError('not-found')
    if (row.creditedAt !== null) {
      if (row.transactionId !== hash && !(await this.isReplaced(row, hash))) throw new AppError('payment.token-failed')
      return row
    }
    const result = await this.look(row, hash)
    if (result instanceof AppError) {
      if (result.code === 'payment.unconfirmed') await noteTransfer(db, { userId, id }, hash, new Date(now()))
      throw result
    }
    return result ?? row
  }

  /** Looks after an open payment: whether the transfer that was named pays it, or one that nobody named, and whether its time is over. */
  async lookAgain(row: PaymentRow): Promise<void> {
    const { db, log, now } = this.deps
    const named = row.transactionId === null ? undefined : await this.look(row, hashOf(row.transactionId)).catch(asRefusal)
    if (named !== undefined && !(named instanceof AppError)) return
    const { found, seenTo } = await this.search(row)
    const refusals = [named, found].flatMap((result) => (result instanceof AppError ? [result.code] : []))
    for (const code of refusals) if (code !== 'payment.unconfirmed') log.warn({ paymentId: row.id, code }, 'a transfer pays nothing')
    // What is in a block waits for those upon it, however late they come: it was sent in time, also where another one that was found pays nothing.
    const isWaiting = refusals.includes('payment.unconfirmed')
    if (this.isOver(row, seenTo) && !isWaiting) await expire(db, row, new Date(now()))
  }

  /**
   * Whoever closed the page between sending a transfer and naming it, or whose wallet sent it again with a higher fee, has paid all the same. `seenTo`: what
   * came on the chain until then was looked at.
   */
  private async search(row: PaymentRow): Promise<{ found: PaymentRow | AppError | undefined; seenTo: Date }> {
    const { db, chain, now } = this.deps
    const { id, userId, terms, asked, createdAt, transactionId } = row
    if (terms === null || userId === null) return { found: new AppError('not-found'), seenTo: new Date(now()) }
    const maxAgeMs = now() - createdAt.getTime() + limits.payments.chainClockMs
    let refusal: AppError | undefined
    const { hashes, headAt: seenTo } = await chain.find({ token: terms.token, to: terms.treasury, least: asked, mark: transferMark(id), maxAgeMs })
    for (const hash of hashes) {
      if (hash === transactionId) continue
      const result = await this.look(row, hash).catch(asRefusal)
      if (!(result instanceof AppError)) return { found: result, seenTo }
      if (result.code === 'payment.unconfirmed') {
        await noteFound(db, { userId, id }, hash, new Date(now()))
        return { found: result, seenTo }
      }
      refusal = result
    }
    return { found: refusal, seenTo }
  }

  /** The completed payment, or why it is not. */
  private async look(row: PaymentRow, hash: Hex): Promise<PaymentRow | AppError | undefined> {
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
   * Whether no transfer can come any more that is in time. `seenTo`: the newest block that the node knows, which may be behind: what was sent in time can be
   * in those that it has yet to hear of.
   */
  private isOver({ expiresAt }: PaymentRow, seenTo: Date): boolean {
    return Math.min(this.deps.now(), seenTo.getTime()) > expiresAt.getTime() + limits.payments.chainClockMs
  }

  /** Of a transfer in whose place another one paid: a wallet that sends one again with a higher fee gives it another hash, and the chain never has the first. */
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

/** Nobody knows while the chain cannot be read. */
function asRefusal(error: unknown): AppError {
  if (error instanceof AppError && error.code !== 'payment.token-unavailable') return error
  throw error
}

function hashOf(text: string): Hex {
  return `0x${text.slice(2).toLowerCase()}`
}
