import { and, eq, gt, lte } from 'drizzle-orm'
import type { Db } from '../../db/client'
import { socketTickets } from '../../db/schema'

export async function insertTicket(db: Db, ticket: typeof socketTickets.$inferInsert): Promise<void> {
  await db.insert(socketTickets).values(ticket)
}

/** Deletes and gives it in one statement, so that of two who come with the same ticket one gets it. */
export async function takeTicket(
  db: Db,
  tokenHash: string,
  now: Date,
): Promise<Pick<typeof socketTickets.$inferSelect, 'subject' | 'sessionId' | 'browser'> | undefined> {
  const [row] = await db
    .delete(socketTickets)
    .where(and(eq(socketTickets.tokenHash, tokenHash), gt(socketTickets.expiresAt, now)))
    .returning({ subject: socketTickets.subject, sessionId: socketTickets.sessionId, browser: socketTickets.browser })
  return row
}

export async function deleteExpiredTickets(db: Db, now: Date): Promise<void> {
  await db.delete(socketTickets).where(lte(socketTickets.expiresAt, now))
}
