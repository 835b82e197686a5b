import { serverLimits } from '@parley/contract/limits/server'
import type { Nano } from '@parley/contract/money'
import type { PaymentMethod, PaymentStatus } from '@parley/contract/payments'
import { and, desc, eq, isNull } from 'drizzle-orm'
import type { Db } from '../../db/client'
import { payments } from '../../db/schema/payments'
import { users } from '../../db/schema/users'

export type PaymentRow = typeof payments.$inferSelect
export type PaymentKey = { userId: string; id: string }

/** False when this person has used the idempotency key before. */
export async function insertPayment(db: Db, payment: typeof payments.$inferInsert): Promise<boolean> {
  const rows = await db.insert(payments).values(payment).onConflictDoNothing().returning({ id: payments.id })
  return rows.length > 0
}

export async function findPayment(db: Db, { userId, id }: PaymentKey): Promise<PaymentRow | undefined> {
  const [row] = await db
    .select()
    .from(payments)
    .where(and(eq(payments.userId, userId), eq(payments.id, id)))
  return row
}

export async function findPaymentByKey(
  db: Db,
  userId: string,
  idempotencyKey: string,
): Promise<PaymentRow | undefined> {
  const [row] = await db
    .select()
    .from(payments)
    .where(and(eq(payments.userId, userId), eq(payments.idempotencyKey, idempotencyKey)))
  return row
}

/** Whether a provider's reference can be an id of ours: the database refuses to compare anything else with an id. */
export function isPaymentId(reference: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(reference)
}

/** By our id, for any person: providers do not know them. */
export async function findPaymentOfMethod(db: Db, method: PaymentMethod, id: string): Promise<PaymentRow | undefined> {
  const [row] = await db
    .select()
    .from(payments)
    .where(and(eq(payments.method, method), eq(payments.id, id)))
  return row
}

/** By the provider's id, which is stored when the payment has been started there. */
export async function findPaymentByProviderId(
  db: Db,
  method: PaymentMethod,
  providerId: string,
): Promise<PaymentRow | undefined> {
  const [row] = await db
    .select()
    .from(payments)
    .where(and(eq(payments.method, method), eq(payments.providerId, providerId)))
  return row
}

export async function listPayments(db: Db, userId: string): Promise<PaymentRow[]> {
  return db
    .select()
    .from(payments)
    .where(eq(payments.userId, userId))
    .orderBy(desc(payments.createdAt), desc(payments.id))
    .limit(serverLimits.payments.listed)
}

/** How many payments of a person are open. */
export async function countOpenPayments(db: Db, userId: string): Promise<number> {
  return db.$count(payments, and(eq(payments.userId, userId), eq(payments.status, 'pending')))
}

/**
 * Locks a payment until the end of the transaction, for any person: the account may be deleted. The account is locked
 * first, because a deletion locks the account before its payments, and granting credits needs the account.
 */
export async function lockPayment(tx: Db, id: string): Promise<PaymentRow | undefined> {
  await tx
    .select({ id: users.id })
    .from(users)
    .innerJoin(payments, eq(payments.userId, users.id))
    .where(eq(payments.id, id))
    .for('key share', { of: users })
  const [row] = await tx.select().from(payments).where(eq(payments.id, id)).for('update')
  return row
}

type PaymentChange = {
  status: PaymentStatus
  providerId?: string
  transactionId?: string
  creditedAt?: Date
  refundedAmount?: Nano
  refundCount?: number
  at: Date
}

/** Changes a payment that the caller has locked. The table refuses a change back to an earlier status. */
export async function advancePayment(tx: Db, id: string, { at, ...change }: PaymentChange): Promise<PaymentRow> {
  const [row] = await tx
    .update(payments)
    .set({ ...change, updatedAt: at })
    .where(eq(payments.id, id))
    .returning()
  if (!row) throw new Error('the payment is gone')
  return row
}

/** Expires an open payment, unless the person has named another transfer since the row was read. */
export async function expirePayment(
  db: Db,
  { id, transactionId }: Pick<PaymentRow, 'id' | 'transactionId'>,
  at: Date,
): Promise<void> {
  const sameTransfer =
    transactionId === null ? isNull(payments.transactionId) : eq(payments.transactionId, transactionId)
  await db
    .update(payments)
    .set({ status: 'expired', updatedAt: at })
    .where(and(eq(payments.id, id), eq(payments.status, 'pending'), sameTransfer))
}
