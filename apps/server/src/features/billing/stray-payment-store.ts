import { limits } from '@parley/contract/limits'
import { and, asc, count, eq, isNull, lt, type SQL } from 'drizzle-orm'
import type { Db } from '../../db/client'
import { payments } from '../../db/payments-schema'
import type { PaymentRow } from './payment-store'

type StrayPayment = Pick<PaymentRow, 'id' | 'method' | 'amount' | 'providerId' | 'transactionId' | 'createdAt'>
type Stray<T> = { ofDeletedAccounts: T; unattended: T }
export type StrayPayments = Stray<StrayPayment[]>

/** Money that came when its account was gone: it is granted to nobody, and is to be given back at the provider. Once it was, the payment says so. */
const isOfDeletedAccount = and(eq(payments.status, 'completed'), isNull(payments.creditedAt), isNull(payments.userId))

/**
 * Its time is over, and nobody has asked for it for long. A server that has its method does so every minute, and ends it once it knows that no money came:
 * no server has this method any more.
 */
function isUnattended(now: Date): SQL | undefined {
  const long = new Date(now.getTime() - limits.payments.unattendedMs)
  return and(eq(payments.status, 'pending'), lt(payments.expiresAt, long), lt(payments.askedAt, long))
}

/** What needs the operator; the oldest first. */
export async function strayPayments(db: Db, now: Date): Promise<StrayPayments> {
  const { id, method, amount, providerId, transactionId, createdAt } = payments
  const listed = (which: SQL | undefined): Promise<StrayPayment[]> =>
    db.select({ id, method, amount, providerId, transactionId, createdAt }).from(payments).where(which).orderBy(asc(createdAt)).limit(limits.payments.listed)
  return { ofDeletedAccounts: await listed(isOfDeletedAccount), unattended: await listed(isUnattended(now)) }
}

export async function countStrayPayments(db: Db, now: Date): Promise<Stray<number>> {
  const counted = async (which: SQL | undefined): Promise<number> => (await db.select({ stray: count() }).from(payments).where(which))[0]?.stray ?? 0
  return { ofDeletedAccounts: await counted(isOfDeletedAccount), unattended: await counted(isUnattended(now)) }
}
