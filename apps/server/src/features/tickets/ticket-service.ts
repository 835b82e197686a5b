import { randomBytes } from 'node:crypto'
import { serverLimits } from '@parley/contract/limits/server'
import type { Db } from '../../db/client'
import type { TicketHolder } from './public/socket-tickets'
import { deleteExpiredTickets, insertTicket } from './ticket-store'

/** A ticket opens the chat socket once, for its holder, within `serverLimits.chat.ticketSeconds`. */
export async function issueTicket(
  db: Db,
  holder: TicketHolder,
  now: number,
): Promise<{ token: string; expires_in: number }> {
  const token = randomBytes(32).toString('base64url')
  await insertTicket(db, token, {
    subject: holder.subject,
    sessionId: holder.sessionId ?? null,
    browser: holder.browser ?? null,
    expiresAt: new Date(now + serverLimits.chat.ticketSeconds * 1000),
  })
  return { token, expires_in: serverLimits.chat.ticketSeconds }
}

/** Deletes expired tickets. */
export async function sweepTickets(db: Db, now: number): Promise<void> {
  await deleteExpiredTickets(db, new Date(now))
}
