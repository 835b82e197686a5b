import { serverLimits } from '@parley/contract/limits/server'
import { sessionRoutes } from '@parley/contract/session'
import type { FastifyInstance } from 'fastify'
import type { Db } from '../../db/client'
import type { Scheduler } from '../../db/scheduler'
import { handle } from '../../plugins/handle'
import { issueTicket, sweepTickets } from './ticket-service'

const sweepEveryMs = 60_000

type Deps = { db: Db; scheduler: Scheduler; now: () => number }

export function registerTicketRoutes(app: FastifyInstance, { db, scheduler, now }: Deps): void {
  const options = { permission: 'visitor', perMinute: serverLimits.http.ticketsPerMinute } as const
  handle(app, sessionRoutes.socketTicket, options, ({ subject, person, request, reply }) => {
    // Programs name no origin and keep no cookies.
    const browser = person && request.headers.origin !== undefined ? app.visitors.ensure(request, reply) : undefined
    return issueTicket(db, { subject, sessionId: person?.sessionId, browser }, now())
  })

  scheduler.every('tickets.sweep', { everyMs: sweepEveryMs, run: () => sweepTickets(db, now()) })
}
