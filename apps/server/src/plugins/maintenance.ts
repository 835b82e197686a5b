import { AppError } from '@parley/contract/errors'
import { serverLimits } from '@parley/contract/limits/server'
import { isPage, isPublicPage, publicPages } from '@parley/contract/pages'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Gauge } from 'prom-client'

declare module 'fastify' {
  interface FastifyInstance {
    isInMaintenance: boolean
  }
}

/** What watches the process, what payment providers tell, and what says whether the maintenance is over. */
const goesOn = /^\/(?:metrics|api\/health\/.*|api\/billing\/webhooks\/.*|api\/config)$/
const isCall = /^\/(?:api|v1|models)(?:\/|$)/

/**
 * While the operator works: pages lead to the notice, calls are refused with the time of the next attempt, sockets are
 * closed as before a restart (features/chat does that). Files of the pages are served as ever.
 */
export function registerMaintenance(app: FastifyInstance, { isOn }: { isOn: boolean }): void {
  app.decorate('isInMaintenance', isOn)
  const gauge = new Gauge({ name: 'maintenance', help: '1 while MAINTENANCE refuses calls', registers: [app.metrics] })
  gauge.set(isOn ? 1 : 0)
  if (!isOn) return
  app.addHook('onRequest', async (request, reply) => {
    const path = request.url.split('?')[0] ?? ''
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    if (goesOn.test(path) || path === publicPages.maintenance || path.startsWith('/ws/')) return
    if (isCall.test(path) || !isRead)
      throw new AppError('maintenance', { retryAfter: serverLimits.http.maintenanceRetrySeconds })
    if (!isPage(path) && !isPublicPage(path) && !wantsPage(request)) return
    const from = new URLSearchParams({ from: request.url })
    return reply.header('cache-control', 'no-store').redirect(`${publicPages.maintenance}?${from}`, 302)
  })
}

const wantsPage = ({ headers }: FastifyRequest): boolean => headers.accept?.includes('text/html') ?? false
