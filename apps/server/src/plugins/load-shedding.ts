import { monitorEventLoopDelay } from 'node:perf_hooks'
import { getHeapStatistics } from 'node:v8'
import { AppError } from '@parley/contract/errors'
import { serverLimits } from '@parley/contract/limits/server'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Counter } from 'prom-client'

/** 0 as delay: it does not count. */
type Bounds = { eventLoopDelayMs?: number; heapBytes?: number; sampleMs?: number }

/** It wakes the process up as often: what is shed is later than that by far. */
const resolutionMs = 50

/**
 * Answered whatever the load: who watches the process must see that it lives, and what payment providers tell is money.
 */
const isAlwaysAnswered = ({ url }: FastifyRequest): boolean =>
  /^\/(?:metrics|api\/health\/|api\/billing\/webhooks\/)/.test(url)

/** Refuses requests at once while the process cannot keep up, so that those under way come to their end. */
export function registerLoadShedding(app: FastifyInstance, bounds: Bounds = {}): void {
  const maxDelayMs = bounds.eventLoopDelayMs ?? serverLimits.http.maxEventLoopDelayMs
  const maxHeapBytes = bounds.heapBytes ?? getHeapStatistics().heap_size_limit * serverLimits.http.maxHeapShare
  const shed = new Counter({
    name: 'http_requests_shed_total',
    help: 'Requests refused because of the load',
    registers: [app.metrics],
  })
  const delay = monitorEventLoopDelay({ resolution: resolutionMs })
  delay.enable()
  let isOverloaded = false
  let sampledAt = performance.now()
  const timer = setInterval(() => {
    const now = performance.now()
    // After a reset the monitor measures from its next tick on: where no second one came, the loop stood all the while.
    const delayMs = delay.count > 0 ? delay.mean / 1e6 - resolutionMs : now - sampledAt
    delay.reset()
    sampledAt = now
    const isLate = maxDelayMs > 0 && delayMs > maxDelayMs
    isOverloaded = isLate || getHeapStatistics().used_heap_size > maxHeapBytes
  }, bounds.sampleMs ?? 1_000).unref()

  app.addHook('onRequest', async (request) => {
    if (!isOverloaded || isAlwaysAnswered(request)) return
    shed.inc()
    throw new AppError('unavailable', { retryAfter: serverLimits.http.shedRetrySeconds })
  })
  app.addHook('onClose', async () => {
    clearInterval(timer)
    delay.disable()
  })
}
