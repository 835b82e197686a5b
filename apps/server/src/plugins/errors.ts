import type { ErrorBody } from '@parley/contract/error-body'
import { spanish } from '@parley/contract/error-texts/es-ES'
import { portuguese } from '@parley/contract/error-texts/pt-BR'
import { AppError, type ErrorCode, errorText, isAboutCredits, registerErrorTexts } from '@parley/contract/errors'
import { fullLanguageOf, languageOf } from '@parley/contract/languages'
import accepts from 'accepts'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod'
import { isDatabaseAway } from './database-away'

registerErrorTexts('pt-BR', portuguese)
registerErrorTexts('es-ES', spanish)

/** The only place that turns an error into an answer. */
export function registerErrors(app: FastifyInstance): void {
  app.setErrorHandler((error, request, reply) => sendError(error, request, reply))
}

export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const known = toAppError(error)
  if (known.status >= 500 && known.code === 'server-error') request.log.error({ err: error }, 'request failed')
  else if (known.code === 'unavailable' && known.cause !== undefined)
    request.log.warn({ err: known.cause }, 'request refused: something is away')
  const language = requestLanguage(request)
  // A message of its own (not the catalogue's) is more exact than the catalogue's, so it stays.
  const message = known.message === errorText(known.code) ? errorText(known.code, language) : known.message
  const retryAfter = known.retryAfter ?? (known.status === 503 ? 5 : undefined)
  if (retryAfter !== undefined) reply.header('retry-after', Math.ceil(retryAfter))
  const body: ErrorBody = {
    success: false,
    code: known.code,
    message,
    status: known.status,
    ...(known.issues ? { issues: known.issues } : {}),
    ...(known.code === 'agent.private' || known.code === 'agent.not-found' ? { error: message } : {}),
    ...(isAboutCredits(known.code) ? { planLimit: true, planLimitErrorType: 'credits' } : {}),
  }
  return reply
    .code(known.status)
    .header('content-language', fullLanguageOf(language))
    .header('cache-control', 'no-store')
    .send(body)
}

/** The 404 of every path and method that nobody mounted. */
export function sendNotFound(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return sendError(new AppError('not-found'), request, reply)
}

/** What a person is told of a failure. */
export function toAppError(error: unknown): AppError {
  // Codes without an HTTP status (network, unknown) belong to clients: thrown here they are a mistake of ours.
  if (error instanceof AppError) return error.status >= 400 ? error : new AppError('server-error', { cause: error })
  if (hasZodFastifySchemaValidationErrors(error)) {
    const issues = error.validation.map((issue) => ({
      path: issue.instancePath.split('/').filter(Boolean).join('.'),
      message: issue.message ?? '',
    }))
    return new AppError('validation', { issues })
  }
  if (isDatabaseAway(error)) return new AppError('unavailable', { cause: error })
  const status = isFastifyError(error) ? (error.statusCode ?? 500) : 500
  if (status < 400 || status >= 500) return new AppError('server-error', { cause: error })
  return new AppError(codeOfStatus[status] ?? 'validation', { status, cause: error })
}

const codeOfStatus: Partial<Record<number, ErrorCode>> = {
  401: 'unauthenticated',
  403: 'forbidden',
  404: 'not-found',
  413: 'body.too-large',
  429: 'rate-limited',
}

function isFastifyError(error: unknown): error is FastifyError {
  return error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number'
}

/**
 * `?lang=` first, then the person's preferred languages in their order: those that the server speaks before those that
 * only the app speaks, which are good for what the app asks. undefined gives en-US.
 */
export function requestLanguage(request: FastifyRequest): string | undefined {
  const asked = new URLSearchParams(request.url.split('?')[1] ?? '').get('lang')
  if (asked) return asked
  const tags = accepts(request.raw).languages()
  return (
    tags.find((tag) => /^en\b/i.test(tag) || fullLanguageOf(tag) !== 'en-US') ??
    tags.find((tag) => languageOf(tag) !== 'en-US')
  )
}
