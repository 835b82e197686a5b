import rateLimit from '@fastify/rate-limit'
import { AppError } from '@parley/contract/errors'
import { serverLimits } from '@parley/contract/limits/server'
import type { FastifyInstance } from 'fastify'
import type { Bus } from '../providers/bus/bus'
import { addressHasher } from './address'

type Options = { bus: Bus; countersKey: Buffer; scale: number; now: () => number }

/**
 * Counts requests per route and minute on the bus, so that all nodes count together: of whoever shows an access token
 * by the person, of everybody else by the network address. The people of one address together have
 * `serverLimits.http.peoplePerAddress` times the limit. Scale 0 switches it off.
 */
export async function registerRateLimit(
  app: FastifyInstance,
  { bus, countersKey, scale, now }: Options,
): Promise<void> {
  const hash = addressHasher(countersKey)
  await app.register(rateLimit, {
    global: false,
    max: serverLimits.http.requestsPerMinute,
    timeWindow: 60_000,
    keyGenerator: async (request) => {
      const route = `http:${request.routeOptions.method}:${request.routeOptions.url ?? 'none'}`
      const [address, person] = [hash(request.ip, now()), await app.people?.claimedId(request)]
      return person === undefined ? `${route}:${address}` : `${route}:user:${person}${also}${route}:people:${address}`
    },
    // A bus that is down must not lock everybody out.
    skipOnError: true,
    allowList: () => scale === 0,
    store: busStore(bus, scale),
    addHeaders: {
      'x-ratelimit-limit': false,
      'x-ratelimit-remaining': false,
      'x-ratelimit-reset': false,
      'retry-after': false,
    },
    addHeadersOnExceeding: { 'x-ratelimit-limit': false, 'x-ratelimit-remaining': false, 'x-ratelimit-reset': false },
    errorResponseBuilder: (_request, context) =>
      new AppError('rate-limited', { retryAfter: Math.max(1, Math.ceil(context.ttl / 1000)) }),
  })
}

/** Between the two counters of one request. */
const also = '|'

type Counted = (error: Error | null, result?: { current: number; ttl: number }) => void

function busStore(bus: Bus, scale: number) {
  return class BusStore {
    incr(key: string, done: Counted, windowMs: number): void {
      const [own = '', ofAddress] = key.split(also)
      const most = async (): Promise<{ count: number; resetMs: number }> => {
        const counted = await bus.count(own, windowMs)
        if (ofAddress === undefined) return counted
        const all = await bus.count(ofAddress, windowMs)
        const share = all.count / serverLimits.http.peoplePerAddress
        return share > counted.count ? { count: share, resetMs: all.resetMs } : counted
      }
      most().then(
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
