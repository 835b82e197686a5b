import { getHeapStatistics } from 'node:v8'
import underPressure from '@fastify/under-pressure'
import { AppError } from '@parley/contract/errors'
import { serverLimits } from '@parley/contract/limits/server'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Counter } from 'prom-client'

/** 0 as delay: it does not count. */
type Bounds = { eventLoopDelayMs?: number; heapBytes?: number; sampleMs?: number }

/**
 * Answered whatever the load: who watches the process must see that it lives, and what payment providers tell is money.
 */
const isAlwaysAnswered = ({ url }: FastifyRequest): boolean =>
  /^\/(?:metrics|api\/health\/|api\/billing\/webhooks\/)/.test(url)

/** Refuses requests at once while the process cannot keep up, so that those under way come to their end. */
export async function registerLoadShedding(app: FastifyInstance, bounds: Bounds = {}): Promise<void> {
  const shed = new Counter({
    name: 'http_requests_shed_total',
    help: 'Requests refused because of the load',
    registers: [app.metrics],
  })
  await app.register(underPressure, {
    sampleInterval: bounds.sampleMs ?? 1_000,
    maxEventLoopDelay: bounds.eventLoopDelayMs ?? serverLimits.http.maxEventLoopDelayMs,
    maxHeapUsedBytes: bounds.heapBytes ?? getHeapStatistics().heap_size_limit * serverLimits.http.maxHeapShare,
    pressureHandler: async (request) => {
      if (isAlwaysAnswered(request)) return
      shed.inc()
      throw new AppError('unavailable', { retryAfter: serverLimits.http.shedRetrySeconds })
    },
  })
}
