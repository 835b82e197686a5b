import { limits } from '@parley/contract/limits'
import { sessionRoutes } from '@parley/contract/session'
import type { FastifyInstance } from 'fastify'
import type { Db } from '../../db/client'
import { handle } from '../../plugins/handle'
import { issueTicket, sweepTickets } from './ticket-service'

const sweepEveryMs = 60_000

export function registerTicketRoutes(app: FastifyInstance, { db, now }: { db: Db; now: () => number }): void {
  handle(app, sessionRoutes.socketTicket, { permission: 'visitor', perMinute: limits.http.ticketsPerMinute }, ({ subject, person }) =>
    issueTicket(db, { subject, sessionId: person?.sessionId }, now()),
  )

  const sweep = setInterval(() => {
    sweepTickets(db, now()).catch((error: unknown) => app.log.warn({ err: error }, 'sweeping tickets failed'))
  }, sweepEveryMs)
  sweep.unref()
  app.addHook('onClose', async () => clearInterval(sweep))
}
