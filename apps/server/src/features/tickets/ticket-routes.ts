import { limits } from '@parley/contract/limits'
import { sessionRoutes } from '@parley/contract/session'
import type { FastifyInstance } from 'fastify'
import type { Db } from '../../db/client'
import { handle } from '../../plugins/handle'
import { issueTicket, sweepTickets } from './ticket-service'

const sweepEveryMs = 60_000

export function registerTicketRoutes(app: FastifyInstance, { db, now }: { db: Db; now: () => number }): void {
  const options = { permission: 'visitor', perMinute: limits.http.ticketsPerMinute } as const
  handle(app, sessionRoutes.socketTicket, options, ({ subject, person, request, reply }) => {
    // Programs name no origin and keep no cookies.
    const browser = person && request.headers.origin !== undefined ? app.visitors.ensure(request, reply) : undefined
    return issueTicket(db, { subject, sessionId: person?.sessionId, browser }, now())
  })

  const sweep = setInterval(() => {
    sweepTickets(db, now()).catch((error: unknown) => app.log.warn({ err: error }, 'sweeping tickets failed'))
  }, sweepEveryMs)
  sweep.unref()
  app.addHook('onClose', async () => clearInterval(sweep))
}
