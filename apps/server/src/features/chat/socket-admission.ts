import { AppError } from '@parley/contract/errors'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import type { Db } from '../../db/client'
import { subjectOf } from '../../plugins/people'
import type { Sessions } from '../auth/public/sessions'
import { redeemTicket, type TicketHolder } from '../tickets/public/socket-tickets'

type Deps = { db: Db; sessions: Pick<Sessions, 'liveOf'>; now: () => number }

const TicketQuery = z.object({ token: z.optional(z.string()), channelId: z.optional(z.string()) })

/**
 * Who may open a chat socket: the holder of a ticket, or a program with an access token. Throws forbidden for a page of
 * another site, unauthenticated otherwise.
 */
export function createSocketAdmission(app: FastifyInstance, { db, sessions, now }: Deps) {
  const holderOfAccessToken = async (request: FastifyRequest): Promise<TicketHolder | undefined> => {
    const person = await app.people.identify(request)
    return person && { subject: subjectOf(person), sessionId: person.sessionId }
  }
  /** A ticket is valid only in the browser that requested it; a person's only while their session is live. */
  const isValidFor = async (
    { subject, sessionId, browser }: TicketHolder,
    request: FastifyRequest,
  ): Promise<boolean> => {
    const visitor = app.visitors.identify(request)
    if (sessionId === undefined) return subject === visitor
    return (browser === undefined || browser === visitor) && (await sessions.liveOf([sessionId])).has(sessionId)
  }
  return async (request: FastifyRequest): Promise<TicketHolder> => {
    const { origin } = request.headers
    if (origin !== undefined && !app.origins.isOwn(origin)) throw new AppError('forbidden')
    const query = z.safeParse(TicketQuery, request.query)
    const token = query.success ? query.data.token : undefined
    const holder = token === undefined ? await holderOfAccessToken(request) : await redeemTicket(db, token, now())
    if (!holder || !(await isValidFor(holder, request))) throw new AppError('unauthenticated')
    return holder
  }
}
