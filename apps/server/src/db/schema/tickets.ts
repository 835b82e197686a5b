import { index, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'

/** One-use tickets of the chat socket, kept as a hash. */
export const socketTickets = pgTable(
  'socket_tickets',
  {
    tokenHash: text('token_hash').primaryKey(),
    subject: text('subject').notNull(),
    /** The session that asked; null for an anonymous person. */
    sessionId: uuid('session_id'),
    /** The visitor cookie's `anon:{id}` of the browser that asked; null for programs, which keep no cookies. */
    browser: text('browser'),
    expiresAt: timestamp('expires_at', { withTimezone: true }).notNull(),
  },
  (table) => [index('socket_tickets_expiry').on(table.expiresAt)],
)
