import { and, asc, eq, isNotNull, isNull, notInArray } from 'drizzle-orm'
import type { Db } from '../../db/client'
import { payments } from '../../db/payments-schema'

const told = {
  id: payments.id,
  userId: payments.userId,
  amount: payments.amount,
  method: payments.method,
  status: payments.status,
  creditedAt: payments.creditedAt,
}
const isUnmailed = and(isNotNull(payments.creditedAt), isNull(payments.mailedAt))
export type UnmailedPayment = Pick<typeof payments.$inferSelect, keyof typeof told>

/**
 * The oldest payment that was credited and nobody was told about, which no other node tells about from now on. One whose
 * row is locked is waited for: a notice that comes twice locks it as well as a node that tells about it.
 */
export async function claimUnmailed(db: Db, at: Date, except: string[]): Promise<UnmailedPayment | undefined> {
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
      .returning(told)
    // Otherwise another node was faster, with this one.
    if (row) return row
  }
}

/** Leaves the mail of a claimed payment to a later try. */
export async function giveBackUnmailed(db: Db, { userId, id }: { userId: string; id: string }): Promise<void> {
  await db
    .update(payments)
    .set({ mailedAt: null })
    .where(and(eq(payments.userId, userId), eq(payments.id, id)))
}
