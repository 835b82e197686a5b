import { and, asc, eq, isNotNull, isNull, notInArray } from 'drizzle-orm'
import type { Db } from '../../db/client'
import { payments } from '../../db/schema/payments'

const mailColumns = {
  id: payments.id,
  userId: payments.userId,
  amount: payments.amount,
  method: payments.method,
  status: payments.status,
  creditedAt: payments.creditedAt,
}
const isUnmailed = and(isNotNull(payments.creditedAt), isNull(payments.mailedAt))
export type MailedPayment = Pick<typeof payments.$inferSelect, keyof typeof mailColumns>

/**
 * Claims the oldest credited payment that has no mail yet. It waits for a locked row instead of skipping it, because
 * such a row may be locked by a repeated webhook that does not send the mail.
 */
export async function claimUnmailed(db: Db, at: Date, except: string[]): Promise<MailedPayment | undefined> {
  for (;;) {
    const [oldest] = await db
      .select({ id: payments.id })
      .from(payments)
      .where(and(isUnmailed, notInArray(payments.id, except)))
      .orderBy(asc(payments.creditedAt))
      .limit(1)
    if (!oldest) return undefined
    const [row] = await db
      .update(payments)
      .set({ mailedAt: at })
      .where(and(eq(payments.id, oldest.id), isUnmailed))
      .returning(mailColumns)
    // Undefined if another node has claimed this payment: then the next one is tried.
    if (row) return row
  }
}

/** Releases the claim, so that the mail is sent later. */
export async function releaseUnmailed(db: Db, { userId, id }: { userId: string; id: string }): Promise<void> {
  await db
    .update(payments)
    .set({ mailedAt: null })
    .where(and(eq(payments.userId, userId), eq(payments.id, id)))
}
