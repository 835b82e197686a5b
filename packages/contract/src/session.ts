import * as z from 'zod/mini'
import { route } from './route'

export const SocketTicket = z.object({ token: z.string(), expires_in: z.int() })

export const sessionRoutes = {
  /** One use, bound to the session or the anonymous cookie, which this call sets where it is missing. */
  socketTicket: route({
    method: 'POST',
    path: '/api/ws/ticket',
    response: SocketTicket,
    summary: 'A one-use ticket for the chat socket',
  }),
}
