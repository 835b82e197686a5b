import { serverLimits } from '@parley/contract/limits/server'
import type { PaymentMethod } from '@parley/contract/payments'
import { and, eq, inArray, isNull, lte, sql } from 'drizzle-orm'
import type { Db } from '../../db/client'
import { payments } from '../../db/schema/payments'
import type { PaymentKey, PaymentRow } from './payment-store'

// `checkedAt` of a payment is a lease: the node that has set it calls the provider for the payment, and no other node
// does. No transaction is open during the call. The lease of a node that has died expires.

/** Claims the next call to the provider. False if another call has claimed it less than `afterMs` ago. */
export async function claimProviderCall(
  db: Db,
  { userId, id }: PaymentKey,
  { now, afterMs }: { now: Date; afterMs: number },
): Promise<boolean> {
  const rows = await db
    .update(payments)
    .set({ checkedAt: now })
    .where(
      and(
        eq(payments.userId, userId),
        eq(payments.id, id),
        eq(payments.status, 'pending'),
        lte(payments.checkedAt, new Date(now.getTime() - afterMs)),
      ),
    )
    .returning({ id: payments.id })
  return rows.length > 0
}

/**
 * Claims open payments of these methods that are due to be checked. The older a payment, the longer the pause between
 * two checks: a minute for a young one, a tenth of its age for an old one. A payment that has expired is due sooner.
 */
export async function claimDuePayments(db: Db, now: Date, methods: readonly PaymentMethod[]): Promise<PaymentRow[]> {
  const at = now.toISOString()
  const pause = `${serverLimits.payments.askAgainMs} milliseconds`
  const due = sql`
    select id from payments
    where status = 'pending'
      and ${inArray(payments.method, methods)}
      and (asked_at < ${at}::timestamptz - greatest(${pause}::interval, (${at}::timestamptz - created_at) / 10)
        or (expires_at <= ${at}::timestamptz and asked_at < ${at}::timestamptz - ${pause}::interval / 4))
    order by asked_at
    limit ${serverLimits.payments.sweepBatch}
    for update skip locked`
  return db.update(payments).set({ checkedAt: now }).where(sql`${payments.id} in (${due})`).returning()
}

type StartClaim = Pick<PaymentRow, 'id' | 'checkedAt'>

/** Extends the claim of a start while its call is running. False if another node has claimed it since. */
export async function renewStartClaim(db: Db, { id, checkedAt }: StartClaim, now: Date): Promise<boolean> {
  const rows = await db
    .update(payments)
    .set({ checkedAt: now })
    .where(ofClaim({ id, checkedAt }))
    .returning({ id: payments.id })
  return rows.length > 0
}

/** Releases the claim of a start whose outcome is unknown, so that the same call can be made again at once. */
export async function releaseStartClaim(db: Db, { id, checkedAt }: StartClaim): Promise<void> {
  await db
    .update(payments)
    .set({ checkedAt: new Date(checkedAt.getTime() - serverLimits.payments.startMs) })
    .where(ofClaim({ id, checkedAt }))
}

const ofClaim = ({ id, checkedAt }: StartClaim) =>
  and(
    eq(payments.id, id),
    eq(payments.status, 'pending'),
    isNull(payments.providerId),
    eq(payments.checkedAt, checkedAt),
  )

type StartedPayment = { providerId: string; paymentUrl?: string; qrCode?: string }

/** Stores the provider's id of the payment and where it can be paid, once. */
export async function storeStarted(
  db: Db,
  { userId, id }: PaymentKey,
  started: StartedPayment,
  at: Date,
): Promise<void> {
  await db
    .update(payments)
    .set({ ...started, updatedAt: at })
    .where(and(eq(payments.userId, userId), eq(payments.id, id), isNull(payments.providerId)))
}

/** Fails a payment that its provider refused to start, unless another call has started it since. */
export async function failUnstarted(db: Db, id: string, at: Date): Promise<void> {
  await db
    .update(payments)
    .set({ status: 'failed', updatedAt: at })
    .where(and(eq(payments.id, id), eq(payments.status, 'pending'), isNull(payments.providerId)))
}
