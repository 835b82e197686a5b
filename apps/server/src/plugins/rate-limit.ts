import rateLimit from '@fastify/rate-limit'
import { AppError } from '@parley/contract/errors'
import { limits } from '@parley/contract/limits'
import type { FastifyInstance } from 'fastify'
import type { Bus } from '../providers/bus'
import { addressHasher } from './address'

type Options = { bus: Bus; secret: string; scale: number; now: () => number }

/** Counts requests of an address per route and minute, on the bus, so that all nodes count together. Scale 0 switches it off. */
export async function registerRateLimit(app: FastifyInstance, { bus, secret, scale, now }: Options): Promise<void> {
  const hash = addressHasher(secret)
  await app.register(rateLimit, {
    global: false,
    max: limits.http.requestsPerMinute,
    timeWindow: 60_000,
    keyGenerator: (request) => `http:${request.routeOptions.method}:${request.routeOptions.url ?? 'none'}:${hash(request.ip, now())}`,
    // A bus that is down must not lock everybody out.
    skipOnError: true,
    allowList: () => scale === 0,
    store: busStore(bus, scale),
    addHeaders: { 'x-ratelimit-limit': false, 'x-ratelimit-remaining': false, 'x-ratelimit-reset': false, 'retry-after': false },
    addHeadersOnExceeding: { 'x-ratelimit-limit': false, 'x-ratelimit-remaining': false, 'x-ratelimit-reset': false },
    errorResponseBuilder: (_request, context) => new AppError('rate-limited', { retryAfter: Math.max(1, Math.ceil(context.ttl / 1000)) }),
  })
}

type Counted = (error: Error | null, result?: { current: number; ttl: number }) => void

function busStore(bus: Bus, scale: number) {
  return class BusStore {
    incr(key: string, done: Counted, windowMs: number): void {
      bus.count(key, windowMs).then(
        // Dividing the count multiplies every route's limit.
        ({ count, resetMs }) => done(null, { current: count / scale, ttl: resetMs }),
        (error: unknown) => done(error instanceof Error ? error : new Error('count failed', { cause: error })),
      )
    }

    // The key names the route already.
    child(): BusStore {
      return this
    }
  }
}
