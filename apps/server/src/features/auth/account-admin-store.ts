import { count, desc } from 'drizzle-orm'
import type { Db } from '../../db/client'
import { subscriptions, users } from '../../db/schema/users'
import type { Account } from './account-store'

export type AccountRow = Pick<Account, 'id' | 'email' | 'kind' | 'createdAt' | 'emailConfirmedAt' | 'blockedAt'>

/** Lists all accounts, newest first; only the operator calls this. */
export async function listAccounts(
  db: Db,
  { page, size }: { page: number; size: number },
): Promise<{ rows: AccountRow[]; total: number }> {
  const { id, email, kind, createdAt, emailConfirmedAt, blockedAt } = users
  const rows = await db
    .select({ id, email, kind, createdAt, emailConfirmedAt, blockedAt })
    .from(users)
    .orderBy(desc(createdAt), desc(id))
    .limit(size)
    .offset(page * size)
  const [counted] = await db.select({ total: count() }).from(users)
  return { rows, total: counted?.total ?? 0 }
}

export async function upsertSubscription(db: Db, subscription: typeof subscriptions.$inferInsert): Promise<void> {
  const { userId: _, ...change } = subscription
  await db.insert(subscriptions).values(subscription).onConflictDoUpdate({ target: subscriptions.userId, set: change })
}
