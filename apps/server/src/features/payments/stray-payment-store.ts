import { serverLimits } from '@parley/contract/limits/server'
import { and, asc, count, eq, isNull, lt, type SQL } from 'drizzle-orm'
import type { Db } from '../../db/client'
import { payments } from '../../db/schema/payments'
import type { PaymentRow } from './payment-store'

type StrayPayment = Pick<PaymentRow, 'id' | 'method' | 'amount' | 'providerId' | 'transactionId' | 'createdAt'>
type StrayKinds<T> = { ofDeletedAccounts: T; unattended: T }
export type StrayPayments = StrayKinds<StrayPayment[]>

/**
 * Money that was received after its account was deleted. Its credits are granted to nobody; the operator refunds it at
 * the provider, and then the payment is refunded here too.
 */
const isOfDeletedAccount = and(eq(payments.status, 'completed'), isNull(payments.creditedAt), isNull(payments.userId))

/**
 * An expired payment that no server has checked for long. A server that has the method checks it every minute, and
 * expires it once it knows that no money was received; so no server has this method any more.
 */
function isUnattended(now: Date): SQL | undefined {
  const before = new Date(now.getTime() - serverLimits.payments.unattendedMs)
  return and(eq(payments.status, 'pending'), lt(payments.expiresAt, before), lt(payments.checkedAt, before))
}

/** The payments that need the operator, oldest first. */
export async function listStrayPayments(db: Db, now: Date): Promise<StrayPayments> {
  const { id, method, amount, providerId, transactionId, createdAt } = payments
  const list = (condition: SQL | undefined): Promise<StrayPayment[]> =>
    db
      .select({ id, method, amount, providerId, transactionId, createdAt })
      .from(payments)
      .where(condition)
      .orderBy(asc(createdAt))
      .limit(serverLimits.payments.listed)
  return { ofDeletedAccounts: await list(isOfDeletedAccount), unattended: await list(isUnattended(now)) }
}

export async function countStrayPayments(db: Db, now: Date): Promise<StrayKinds<number>> {
  const countOf = async (condition: SQL | undefined): Promise<number> =>
    (await db.select({ number: count() }).from(payments).where(condition))[0]?.number ?? 0
  return { ofDeletedAccounts: await countOf(isOfDeletedAccount), unattended: await countOf(isUnattended(now)) }
}
