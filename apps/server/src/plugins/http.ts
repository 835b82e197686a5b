import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import { AppError, errorText } from '@parley/contract/errors'
import { serverLimits } from '@parley/contract/limits/server'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import * as z from 'zod/mini'
import type { Env } from '../env'
import type { Bus } from '../providers/bus/bus'
import type { Secrets } from '../secrets'
import { registerBodyTime } from './body-time'
import { registerCompression } from './compression'
import { registerErrors, sendError } from './errors'
import { registerLoadShedding } from './load-shedding'
import { registerRequestLog } from './logging'
import { registerMaintenance } from './maintenance'
import { registerMetrics } from './metrics'
import { registerOpenApi } from './openapi'
import { registerOrigins } from './origins'
import { registerRateLimit } from './rate-limit'
import { registerSecurityHeaders } from './security-headers'
import { registerTwoHosts } from './two-hosts'
import { registerVisitors } from './visitors'
import { registerWebFiles } from './web-files'

type Options = {
  env: Env
  secrets: Secrets
  countersKey: Buffer
  bus: Bus
  log: FastifyBaseLogger
  version: string
  webRoot: string
  now: () => number
}

/** The HTTP server with everything that concerns all routes; the features add theirs. */
export async function createHttp({
  env,
  secrets,
  countersKey,
  bus,
  log,
  version,
  webRoot,
  now,
}: Options): Promise<FastifyInstance> {
  // zod/mini brings no texts of its own; without them every issue would read "Invalid input".
  z.config(z.locales.en())
  const app = Fastify({
    loggerInstance: log,
    // Its own lines hold the address and the URL; registerRequestLog writes ours.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    trustProxy: env.trustProxy ?? false,
    bodyLimit: serverLimits.http.bodyBytes,
    // An id in a path may have 200 characters.
    routerOptions: { maxParamLength: 2_000 },
    requestTimeout: serverLimits.http.largeBodyMs,
    // Longer than the idle time of usual load balancers, so that they close first.
    keepAliveTimeout: 72_000,
    http: { headersTimeout: 15_000 },
    frameworkErrors: (error, request, reply) => void sendError(error, request, reply),
    clientErrorHandler: answerBrokenRequest,
  })
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)

  const isHttps = env.publicUrl.startsWith('https:')
  registerErrors(app)
  registerRequestLog(app)
  registerOrigins(app, { publicUrl: env.publicUrl, isDefault: env.isDefaultPublicUrl })
  await registerSecurityHeaders(app, { isHttps })
  registerMetrics(app, { token: env.metricsToken })
  registerLoadShedding(app, { eventLoopDelayMs: env.maxEventLoopDelayMs })
  registerBodyTime(app, ({ raw: { socket } }) =>
    answerBrokenRequest(Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket),
  )
  await registerCompression(app)
  await registerVisitors(app, { secrets, isSecure: isHttps })
  await registerRateLimit(app, { bus, countersKey, scale: env.rateLimitScale, now })
  await registerOpenApi(app, { version })
  registerMaintenance(app, { isOn: env.isInMaintenance })
  if (env.marketingUrl !== undefined)
    registerTwoHosts(app, { publicUrl: env.publicUrl, marketingUrl: env.marketingUrl })
  await registerWebFiles(app, { root: webRoot, env, version })
  return app
}

/** What is no HTTP at all, or never arrives whole, is answered in the shape of every other failure. */
function answerBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const status = error.code === 'HPE_HEADER_OVERFLOW' ? 431 : error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400
  const { code } = new AppError('validation')
  const body = JSON.stringify({ success: false, code, message: errorText(code), status })
  socket.end(
    `HTTP/1.1 ${status} Refused\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nX-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n${body}`,
  )
}
