import * as z from 'zod/mini'
import { route } from './route'

export const Tokens = z.object({
  access_token: z.string(),
  refresh_token: z.string(),
  token_type: z.literal('bearer'),
  expires_in: z.int(),
})
export type Tokens = z.infer<typeof Tokens>

export const SocketTicket = z.object({ token: z.string(), expires_in: z.int() })

export const sessionRoutes = {
  refresh: route({
    method: 'POST',
    path: '/api/auth/refreshToken',
    body: z.object({ refresh_token: z.string().check(z.maxLength(500)) }),
    response: Tokens,
    summary: 'A new pair of tokens; the old refresh token ends',
  }),
  logout: route({
    method: 'POST',
    path: '/api/auth/logout',
    body: z.object({ refresh_token: z.string().check(z.maxLength(500)) }),
    response: z.void(),
    status: 204,
    summary: 'Ends the session',
  }),
  /** One use, bound to the session or the anonymous cookie, which this call sets where it is missing. */
  socketTicket: route({
    method: 'POST',
    path: '/api/ws/ticket',
    response: SocketTicket,
    summary: 'A one-use ticket for the chat socket',
  }),
}
