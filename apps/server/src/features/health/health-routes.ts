import { AppError } from '@parley/contract/errors'
import { route } from '@parley/contract/route'
import type { FastifyInstance } from 'fastify'
import { Gauge } from 'prom-client'
import * as z from 'zod/mini'
import { handle } from '../../plugins/handle'

const Ready = z.object({
  status: z.literal('ready'),
  bus: z.enum(['up', 'down']),
  maintenance: z.optional(z.boolean()),
})

const healthRoutes = {
  live: route({
    method: 'GET',
    path: '/api/health/live',
    response: z.object({ status: z.literal('live') }),
    summary: 'The process runs',
  }),
  ready: route({
    method: 'GET',
    path: '/api/health/ready',
    response: Ready,
    summary: 'The database answers and the node is not ending',
  }),
}

type Deps = { isDatabaseUp: () => Promise<boolean>; isBusUp: () => Promise<boolean>; isDraining: () => boolean }

/**
 * Ready means that this node can serve people, be it with the notice of the maintenance, which no balancer can show.
 * The bus is told beside it and is no condition: all nodes have the same one, so an outage of it would take all of them
 * out of the balancer at once, although each can go on alone.
 */
export function registerHealthRoutes(app: FastifyInstance, { isDatabaseUp, isBusUp, isDraining }: Deps): void {
  handle(app, healthRoutes.live, { permission: 'anyone' }, () => ({ status: 'live' as const }))

  handle(app, healthRoutes.ready, { permission: 'anyone' }, async ({ request }) => {
    const [database, bus] = await Promise.all([isDatabaseUp(), isBusUp()])
    const maintenance = app.isInMaintenance ? { maintenance: true } : {}
    if (database && !isDraining())
      return { status: 'ready' as const, bus: bus ? ('up' as const) : ('down' as const), ...maintenance }
    request.log.warn({ database, bus, draining: isDraining() }, 'not ready')
    throw new AppError('unavailable')
  })

  gauge(app, { name: 'bus_up', help: '1 while the bus between the nodes answers', isUp: isBusUp })
  gauge(app, { name: 'database_up', help: '1 while the database answers', isUp: isDatabaseUp })
}

/** Asked for when the metrics are read. */
function gauge(
  app: FastifyInstance,
  { name, help, isUp }: { name: string; help: string; isUp: () => Promise<boolean> },
): void {
  const collect = async function (this: Gauge): Promise<void> {
    this.set((await isUp()) ? 1 : 0)
  }
  app.metrics.registerMetric(new Gauge({ name, help, registers: [], collect }))
}
