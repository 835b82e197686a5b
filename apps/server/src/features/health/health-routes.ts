import { AppError } from '@parley/contract/errors'
import { route } from '@parley/contract/route'
import type { FastifyInstance } from 'fastify'
import * as z from 'zod/mini'
import { handle } from '../../plugins/handle'

const healthRoutes = {
  live: route({ method: 'GET', path: '/api/health/live', response: z.object({ status: z.literal('live') }), summary: 'The process runs' }),
  ready: route({ method: 'GET', path: '/api/health/ready', response: z.object({ status: z.literal('ready') }), summary: 'Database and bus answer' }),
}

type Deps = { isDatabaseUp: () => Promise<boolean>; isBusUp: () => Promise<boolean>; isDraining: () => boolean }

export function registerHealthRoutes(app: FastifyInstance, { isDatabaseUp, isBusUp, isDraining }: Deps): void {
  handle(app, healthRoutes.live, { permission: 'anyone' }, () => ({ status: 'live' as const }))

  handle(app, healthRoutes.ready, { permission: 'anyone' }, async ({ request }) => {
    const [database, bus] = await Promise.all([isDatabaseUp(), isBusUp()])
    if (database && bus && !isDraining()) return { status: 'ready' as const }
    request.log.warn({ database, bus, draining: isDraining() }, 'not ready')
    throw new AppError('unavailable')
  })
}
