import { createHash, randomBytes } from 'node:crypto'
import { limits } from '@parley/contract/limits'
import type { Db } from '../../db/client'
import { deleteExpiredTickets, insertTicket, takeTicket } from './ticket-store'

/** Whose ticket it is. `sessionId` is set for a signed-in person, `browser` (the visitor's `anon:{id}`) where a browser asked: the ticket is good in it alone. */
export type TicketHolder = { subject: string; sessionId: string | undefined; browser?: string | undefined }

/** A ticket for the chat socket, bound to its holder, good once and for `limits.chat.ticketSeconds`. Only its hash is stored. */
export async function issueTicket(db: Db, { subject, sessionId, browser }: TicketHolder, now: number): Promise<{ token: string; expires_in: number }> {
  const token = randomBytes(32).toString('base64url')
  await insertTicket(db, {
    tokenHash: hash(token),
    subject,
    sessionId: sessionId ?? null,
    browser: browser ?? null,
    expiresAt: new Date(now + limits.chat.ticketSeconds * 1000),
  })
  return { token, expires_in: limits.chat.ticketSeconds }
}

/** The holder of a good ticket, which is used up by this; undefined for one that is unknown, used or expired. */
export async function redeemTicket(db: Db, token: string, now: number): Promise<TicketHolder | undefined> {
  const ticket = await takeTicket(db, hash(token), new Date(now))
  return ticket && { subject: ticket.subject, sessionId: ticket.sessionId ?? undefined, browser: ticket.browser ?? undefined }
}

/** Removes tickets that nobody came with. */
export async function sweepTickets(db: Db, now: number): Promise<void> {
  await deleteExpiredTickets(db, new Date(now))
}

function hash(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
