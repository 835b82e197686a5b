import { and, eq, inArray, isNull } from 'drizzle-orm'
import type { Db } from '../../db/client'
import { payments, tokenTransfers } from '../../db/schema/payments'
import type { PaymentKey } from './payment-store'

/**
 * Stores the transfer that the person names, so that the server checks it again by itself. It reopens a payment that
 * has expired.
 */
export async function storeNamedTransfer(db: Db, { userId, id }: PaymentKey, hash: string, at: Date): Promise<void> {
  await db
    .update(payments)
    .set({ status: 'pending', transactionId: hash, updatedAt: at })
    .where(and(eq(payments.userId, userId), eq(payments.id, id), inArray(payments.status, ['pending', 'expired'])))
}

/** Stores a transfer that the server has found itself, unless the person has named one: that one is checked first. */
export async function storeFoundTransfer(db: Db, { userId, id }: PaymentKey, hash: string, at: Date): Promise<void> {
  await db
    .update(payments)
    .set({ transactionId: hash, updatedAt: at })
    .where(
      and(
        eq(payments.userId, userId),
        eq(payments.id, id),
        eq(payments.status, 'pending'),
        isNull(payments.transactionId),
      ),
    )
}

/** Assigns a transfer to the payment that it pays. False if it has paid another payment. */
export async function assignTransfer(tx: Db, transfer: typeof tokenTransfers.$inferInsert): Promise<boolean> {
  await tx.insert(tokenTransfers).values(transfer).onConflictDoNothing()
  const [row] = await tx
    .select({ paymentId: tokenTransfers.paymentId })
    .from(tokenTransfers)
    .where(and(eq(tokenTransfers.chainId, transfer.chainId), eq(tokenTransfers.hash, transfer.hash)))
  return row?.paymentId === transfer.paymentId
}
