import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { type DestinationStream, pino } from 'pino'
import { standardOutput } from './log-sink'

export type LogLevel = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent'

/**
 * JSON lines that hold no address, header, cookie, query, body or token. Nothing logs these on purpose; the serializers
 * and the redaction make that true for what a library or a mistake hands over.
 */
export function createLogger(options: { level: LogLevel; destination?: DestinationStream }): FastifyBaseLogger {
  const settings = {
    level: options.level,
    base: { pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: [...secretKeys, ...secretKeys.map((key) => `*.${key}`)], censor: '[removed]' },
    serializers: { req: () => undefined, res: () => undefined, err: describeError, error: describeError },
  }
  if (options.destination) return pino(settings, options.destination)
  const sink = standardOutput()
  const log = pino(settings, sink)
  sink.onBack = (lost) => log.warn({ lost }, 'lines of the log were lost')
  return log
}

/**
 * One line for each answered request: what, which route, how it ended, how long. The route is the template, so ids and
 * queries are not in it.
 */
export function registerRequestLog(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'none'
    const line = {
      method: request.method,
      route,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
    }
    if (quietRoutes.has(route) && reply.statusCode < 400) request.log.debug(line, 'request')
    else request.log.info(line, 'request')
  })
}

const quietRoutes = new Set(['/api/health/live', '/api/health/ready', '/metrics', '/*', 'none'])

const secretKeys = [
  'authorization',
  'cookie',
  'cookies',
  'headers',
  'password',
  'secret',
  'apiKey',
  'token',
  'ticket',
  'body',
  'query',
  'question',
  'content',
  'text',
  'lastMessages',
  'earlierMessages',
  'channelId',
  'channelName',
  'ip',
  'remoteAddress',
  'hostname',
  'url',
]

type ErrorLine = {
  type: string
  message: string
  code?: string | undefined
  stack?: string | undefined
  cause?: ErrorLine | undefined
}

/**
 * Type, code, message and place. Messages of the database and of parsers quote what they were given, so theirs are cut
 * to what is ours.
 */
export function describeError(error: unknown, depth = 0): ErrorLine {
  if (!(error instanceof Error)) return { type: typeof error, message: 'not an Error' }
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  return {
    type: error.name,
    code,
    message: safeMessage(error),
    stack: depth === 0 ? stackFrames(error) : undefined,
    cause: error.cause === undefined || depth > 3 ? undefined : describeError(error.cause, depth + 1),
  }
}

function safeMessage(error: Error): string {
  // Drizzle appends the parameters of the query, PostgreSQL and JSON.parse quote the value that displeased them, zod
  // lists the input's keys.
  if (error.message.startsWith('Failed query:')) return error.message.split('\nparams:')[0] ?? ''
  if (error instanceof SyntaxError || error.name.includes('Zod')) return '[message removed]'
  if ('severity' in error) return error.message.replace(/"[^"]*"|'[^']*'/g, '"…"')
  return error.message
}

function stackFrames(error: Error): string | undefined {
  const frames = error.stack?.split('\n').filter((line) => /^\s+at /.test(line))
  return frames?.slice(0, 12).join('\n')
}
