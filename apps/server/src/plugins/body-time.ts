import { serverLimits } from '@parley/contract/limits/server'
import type { FastifyInstance, FastifyRequest } from 'fastify'

type Times = { usualMs: number; largeMs: number }

/**
 * How long a body may take to arrive: half a minute, and several where a route takes large ones, which a slow line
 * needs that long for. `onLate` ends the connection. Node.js itself knows one time for all routes; it stays as the
 * bound of the longest.
 */
export function registerBodyTime(
  app: FastifyInstance,
  onLate: (request: FastifyRequest) => void,
  { usualMs, largeMs }: Times = { usualMs: serverLimits.http.bodyMs, largeMs: serverLimits.http.largeBodyMs },
): void {
  app.addHook('onRequest', async (request) => {
    const { raw, routeOptions, headers } = request
    const hasBody = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
    if (!hasBody || raw.complete) return
    const isLarge = (routeOptions.bodyLimit ?? 0) > serverLimits.http.bodyBytes
    const timer = setTimeout(() => void (raw.complete || onLate(request)), isLarge ? largeMs : usualMs)
    timer.unref()
    raw.once('close', () => clearTimeout(timer)).once('end', () => clearTimeout(timer))
  })
}
