import { createHash } from 'node:crypto'
import { and, eq, gt, lte } from 'drizzle-orm'
import type { Db } from '../../db/client'
import { socketTickets } from '../../db/schema/tickets'

/** Stores only the token's hash. */
export async function insertTicket(
  db: Db,
  token: string,
  ticket: Omit<typeof socketTickets.$inferInsert, 'tokenHash'>,
): Promise<void> {
  await db.insert(socketTickets).values({ ...ticket, tokenHash: hash(token) })
}

/** Deletes and returns the ticket in one statement, so that only one of two concurrent calls gets it. */
export async function takeTicket(
  db: Db,
  token: string,
  now: Date,
): Promise<Pick<typeof socketTickets.$inferSelect, 'subject' | 'sessionId' | 'browser'> | undefined> {
  const [row] = await db
    .delete(socketTickets)
    .where(and(eq(socketTickets.tokenHash, hash(token)), gt(socketTickets.expiresAt, now)))
    .returning({ subject: socketTickets.subject, sessionId: socketTickets.sessionId, browser: socketTickets.browser })
  return row
}

export async function deleteExpiredTickets(db: Db, now: Date): Promise<void> {
  await db.delete(socketTickets).where(lte(socketTickets.expiresAt, now))
}

function hash(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
