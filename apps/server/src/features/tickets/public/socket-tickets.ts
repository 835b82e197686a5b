import type { Db } from '../../../db/client'
import { takeTicket } from '../ticket-store'

/**
 * The visitor or person a ticket was issued to. `sessionId` is set for a signed-in person, `browser` (the visitor's
 * `anon:{id}`) where a browser asked for the ticket, which then is valid only there.
 */
export type TicketHolder = { subject: string; sessionId: string | undefined; browser?: string | undefined }

/** Uses the ticket up. Undefined for a ticket that is unknown, used or expired. */
export async function redeemTicket(db: Db, token: string, now: number): Promise<TicketHolder | undefined> {
  const ticket = await takeTicket(db, token, new Date(now))
  return (
    ticket && {
      subject: ticket.subject,
      sessionId: ticket.sessionId ?? undefined,
      browser: ticket.browser ?? undefined,
    }
  )
}
