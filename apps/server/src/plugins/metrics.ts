import { timingSafeEqual } from 'node:crypto'
import { AppError } from '@parley/contract/errors'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import { standardOutput } from './log-sink'

declare module 'fastify' {
  interface FastifyInstance {
    /** Features add their counters here. No label may hold an id, an address or a text. */
    metrics: Registry
  }
}

/** What Node tells of the process, of which one observes itself, however many apps it serves. */
let processRegistry: Registry | undefined

/**
 * Prometheus metrics at /metrics: with METRICS_TOKEN as bearer, or, without one, only for this machine. `?name[]=` asks
 * for some of them alone, as clients of Prometheus have it: the others are not collected, which costs a look into the
 * database.
 */
export function registerMetrics(app: FastifyInstance, options: { token: string | undefined }): void {
  const registry = new Registry()
  const duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time to answer, by route template',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  })
  countUp(registry, {
    name: 'log_lines_lost_total',
    help: 'Lines of the log that standard output did not take',
    total: () => standardOutput().lost,
  })
  countUp(registry, {
    name: 'log_write_errors_total',
    help: 'Writes of the log that failed',
    total: () => standardOutput().errors,
  })
  app.decorate('metrics', registry)
  const registries = [ofProcess(), registry]

  app.addHook('onResponse', async (request, reply) => {
    duration.observe(
      { method: request.method, route: request.routeOptions.url ?? 'none', status: reply.statusCode },
      reply.elapsedTime / 1000,
    )
  })

  app.get<{ Querystring: { 'name[]'?: string | string[] } }>(
    '/metrics',
    { schema: { hide: true } },
    async (request, reply) => {
      if (!mayRead(request, options.token))
        throw new AppError(options.token === undefined ? 'forbidden' : 'unauthenticated')
      const names = [request.query['name[]'] ?? []].flat()
      return reply.type(registry.contentType).send(await (names.length > 0 ? some(registries, names) : all(registries)))
    },
  )
  app.addHook('onClose', async () => registry.clear())
}

/**
 * Its observers cannot be ended: one of each collection of garbage, and one that wakes the process up to see whether it
 * is late. The latter does so 20 times a second instead of 100: what is slow is slower than that.
 */
function ofProcess(): Registry {
  if (processRegistry) return processRegistry
  processRegistry = new Registry()
  collectDefaultMetrics({ register: processRegistry, eventLoopMonitoringPrecision: 50 })
  return processRegistry
}

async function all(registries: readonly Registry[]): Promise<string> {
  const texts = await Promise.all(registries.map((registry) => registry.metrics()))
  return texts.join('\n')
}

/** A name that nothing has is left out. */
async function some(registries: readonly Registry[], names: readonly string[]): Promise<string> {
  const texts = names.flatMap((name) => {
    const registry = registries.find((each) => each.getSingleMetric(name))
    return registry ? [registry.getSingleMetricAsString(name)] : []
  })
  return (await Promise.all(texts)).map((text) => `${text}\n`).join('\n')
}

/** Of what is counted elsewhere. */
function countUp(registry: Registry, { name, help, total }: { name: string; help: string; total: () => number }): void {
  const collect = function (this: Counter): void {
    this.reset()
    this.inc(total())
  }
  registry.registerMetric(new Counter({ name, help, registers: [], collect }))
}

function mayRead(request: FastifyRequest, token: string | undefined): boolean {
  if (token === undefined) return isDirectFromThisMachine(request)
  const given = Buffer.from(request.headers.authorization ?? '')
  const expected = Buffer.from(`Bearer ${token}`)
  return given.length === expected.length && timingSafeEqual(given, expected)
}

/** A proxy on the same machine connects from loopback too, but says so in a header. */
function isDirectFromThisMachine(request: FastifyRequest): boolean {
  const { headers } = request
  const isForwarded = [
    'forwarded',
    'x-forwarded-for',
    'x-forwarded-host',
    'x-forwarded-proto',
    'x-real-ip',
    'via',
  ].some((name) => headers[name] !== undefined)
  return !isForwarded && ['127.0.0.1', '::1', '::ffff:127.0.0.1'].includes(request.socket.remoteAddress ?? '')
}
