import { limits } from '@parley/contract/limits'
import type { Nano } from '@parley/contract/money'
import type { PaymentMethod, PaymentStatus } from '@parley/contract/payments'
import { and, desc, eq, inArray, isNull, lt, lte, sql } from 'drizzle-orm'
import type { Db } from '../../db/client'
import { payments, tokenTransfers, webhookInbox } from '../../db/payments-schema'
import { users } from '../../db/schema'

export type PaymentRow = typeof payments.$inferSelect

/** False when this person has used the idempotency key before. */
export async function insertPayment(db: Db, payment: typeof payments.$inferInsert): Promise<boolean> {
  const rows = await db.insert(payments).values(payment).onConflictDoNothing().returning({ id: payments.id })
  return rows.length > 0
}

type Whose = { userId: string; id: string }

export async function findPayment(db: Db, { userId, id }: Whose): Promise<PaymentRow | undefined> {
  const [row] = await db
    .select()
    .from(payments)
    .where(and(eq(payments.userId, userId), eq(payments.id, id)))
  return row
}

export async function findPaymentByKey(db: Db, userId: string, idempotencyKey: string): Promise<PaymentRow | undefined> {
  const [row] = await db
    .select()
    .from(payments)
    .where(and(eq(payments.userId, userId), eq(payments.idempotencyKey, idempotencyKey)))
  return row
}

/** Whether a provider's reference can be one of ours: the database cannot even look for another. */
export function isPaymentId(reference: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(reference)
}

/** For what a provider tells: it knows no people. */
export async function findPaymentOf(db: Db, method: PaymentMethod, id: string): Promise<PaymentRow | undefined> {
  const [row] = await db
    .select()
    .from(payments)
    .where(and(eq(payments.method, method), eq(payments.id, id)))
  return row
}

export async function listPayments(db: Db, userId: string): Promise<PaymentRow[]> {
  return db.select().from(payments).where(eq(payments.userId, userId)).orderBy(desc(payments.createdAt), desc(payments.id)).limit(limits.payments.listed)
}

/** By the provider's id, which is noted once the payment was started there. */
export async function findPaymentAt(db: Db, method: PaymentMethod, providerId: string): Promise<PaymentRow | undefined> {
  const [row] = await db
    .select()
    .from(payments)
    .where(and(eq(payments.method, method), eq(payments.providerId, providerId)))
  return row
}

/**
 * The payment, which nobody else takes further until the end of the transaction. Whose it is does not matter: their account may be gone. It is kept until
 * then first: whoever deletes it locks the account before its payments, and granting needs the account.
 */
export async function lockPayment(tx: Db, id: string): Promise<PaymentRow | undefined> {
  await tx.select({ id: users.id }).from(users).innerJoin(payments, eq(payments.userId, users.id)).where(eq(payments.id, id)).for('key share', { of: users })
  const [row] = await tx.select().from(payments).where(eq(payments.id, id)).for('update')
  return row
}

/** How many payments of a person are open. */
export async function countOpen(db: Db, userId: string): Promise<number> {
  return db.$count(payments, and(eq(payments.userId, userId), eq(payments.status, 'pending')))
}

type Progress = { status: PaymentStatus; providerId?: string; transactionId?: string; creditedAt?: Date; returned?: Nano; returns?: number; at: Date }

/** Of a payment that the caller has locked; the table refuses what goes back. */
export async function advancePayment(tx: Db, id: string, { at, ...progress }: Progress): Promise<PaymentRow> {
  const [row] = await tx
    .update(payments)
    .set({ ...progress, updatedAt: at })
    .where(eq(payments.id, id))
    .returning()
  if (!row) throw new Error('the payment is gone')
  return row
}

/** Ends a payment that is still open, unless a transfer was named meanwhile that it was not looked at with. */
export async function expire(db: Db, { id, transactionId }: Pick<PaymentRow, 'id' | 'transactionId'>, at: Date): Promise<void> {
  const sameTransfer = transactionId === null ? isNull(payments.transactionId) : eq(payments.transactionId, transactionId)
  await db
    .update(payments)
    .set({ status: 'expired', updatedAt: at })
    .where(and(eq(payments.id, id), eq(payments.status, 'pending'), sameTransfer))
}

type Claim = { now: Date; afterMs: number }

/**
 * Claims the next call to the provider for an open payment: false while another call, on whichever node, was claimed less than `afterMs` ago. No transaction
 * is open during the call itself; a claim whose node has died ends by its time.
 */
export async function claimCall(db: Db, { userId, id }: Whose, { now, afterMs }: Claim): Promise<boolean> {
  const rows = await db
    .update(payments)
    .set({ askedAt: now })
    .where(and(eq(payments.userId, userId), eq(payments.id, id), eq(payments.status, 'pending'), lte(payments.askedAt, new Date(now.getTime() - afterMs))))
    .returning({ id: payments.id })
  return rows.length > 0
}

/** Keeps the claim of a start while its call is under way. False when another node has taken it over. */
export async function renewStart(db: Db, { id, askedAt }: Pick<PaymentRow, 'id' | 'askedAt'>, now: Date): Promise<boolean> {
  const rows = await db
    .update(payments)
    .set({ askedAt: now })
    .where(and(eq(payments.id, id), eq(payments.status, 'pending'), isNull(payments.providerId), eq(payments.askedAt, askedAt)))
    .returning({ id: payments.id })
  return rows.length > 0
}

/** Gives back the claim of a start that ended without an answer that says what happened: the same call may be made again now. */
export async function releaseStart(db: Db, { id, askedAt }: Pick<PaymentRow, 'id' | 'askedAt'>): Promise<void> {
  await db
    .update(payments)
    .set({ askedAt: new Date(askedAt.getTime() - limits.payments.startMs) })
    .where(and(eq(payments.id, id), eq(payments.status, 'pending'), isNull(payments.providerId), eq(payments.askedAt, askedAt)))
}

/** Ends a payment that its provider refused to start, unless another call has started it meanwhile. */
export async function failUnstarted(db: Db, id: string, at: Date): Promise<void> {
  await db
    .update(payments)
    .set({ status: 'failed', updatedAt: at })
    .where(and(eq(payments.id, id), eq(payments.status, 'pending'), isNull(payments.providerId)))
}

type AtProvider = { providerId: string; paymentUrl?: string; qrCode?: string }

/** Notes where it can be paid, once. */
export async function noteStarted(db: Db, { userId, id }: Whose, started: AtProvider, at: Date): Promise<void> {
  await db
    .update(payments)
    .set({ ...started, updatedAt: at })
    .where(and(eq(payments.userId, userId), eq(payments.id, id), isNull(payments.providerId)))
}

/** Notes which transfer the person says pays it, so that the server looks again by itself: also where the payment's time was over before they said so. */
export async function noteTransfer(db: Db, { userId, id }: Whose, hash: string, at: Date): Promise<void> {
  await db
    .update(payments)
    .set({ status: 'pending', transactionId: hash, updatedAt: at })
    .where(and(eq(payments.userId, userId), eq(payments.id, id), inArray(payments.status, ['pending', 'expired'])))
}

/** Notes a transfer that the server found itself, unless the person has named one: theirs may be one that could not be found. */
export async function noteFound(db: Db, { userId, id }: Whose, hash: string, at: Date): Promise<void> {
  await db
    .update(payments)
    .set({ transactionId: hash, updatedAt: at })
    .where(and(eq(payments.userId, userId), eq(payments.id, id), eq(payments.status, 'pending'), isNull(payments.transactionId)))
}

/**
 * Open payments by these methods that it is time to ask for, which no other node asks for now. The longer one is open, the less often: young ones each
 * minute, old ones after a tenth of their age, and all of them when their time is over.
 */
export async function claimOpen(db: Db, now: Date, methods: readonly PaymentMethod[]): Promise<PaymentRow[]> {
  const at = now.toISOString()
  const pause = `${limits.payments.askAgainMs} milliseconds`
  const due = sql`
    select id from payments
    where status = 'pending'
      and ${inArray(payments.method, methods)}
      and (asked_at < ${at}::timestamptz - greatest(${pause}::interval, (${at}::timestamptz - created_at) / 10)
        or (expires_at <= ${at}::timestamptz and asked_at < ${at}::timestamptz - ${pause}::interval / 4))
    order by asked_at
    limit ${limits.payments.sweepBatch}
    for update skip locked`
  return db.update(payments).set({ askedAt: now }).where(sql`${payments.id} in (${due})`).returning()
}

/** False when the transfer has paid another payment. */
export async function useTransfer(tx: Db, transfer: typeof tokenTransfers.$inferInsert): Promise<boolean> {
  await tx.insert(tokenTransfers).values(transfer).onConflictDoNothing()
  const [row] = await tx
    .select({ paymentId: tokenTransfers.paymentId })
    .from(tokenTransfers)
    .where(and(eq(tokenTransfers.chainId, transfer.chainId), eq(tokenTransfers.hash, transfer.hash)))
  return row?.paymentId === transfer.paymentId
}

type NoticeKey = { provider: 'stripe' | 'mercadopago'; eventId: string }

/** False when it was acted on before. */
export async function receiveNotice(db: Db, { provider, eventId }: NoticeKey, receivedAt: Date): Promise<boolean> {
  await db.insert(webhookInbox).values({ provider, eventId, receivedAt }).onConflictDoNothing()
  const [row] = await db
    .select({ doneAt: webhookInbox.doneAt })
    .from(webhookInbox)
    .where(and(eq(webhookInbox.provider, provider), eq(webhookInbox.eventId, eventId)))
  return row?.doneAt === null
}

export async function finishNotice(db: Db, { provider, eventId }: NoticeKey, doneAt: Date): Promise<void> {
  await db
    .update(webhookInbox)
    .set({ doneAt })
    .where(and(eq(webhookInbox.provider, provider), eq(webhookInbox.eventId, eventId)))
}

export async function forgetNotices(db: Db, receivedBefore: Date): Promise<void> {
  await db.delete(webhookInbox).where(lt(webhookInbox.receivedAt, receivedBefore))
}
