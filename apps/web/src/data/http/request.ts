import { AppError, isErrorCode } from '@parley/contract/errors'
import { webLimits } from '@parley/contract/limits/web'
import type { Route } from '@parley/contract/route'
import * as z from 'zod/mini'
import { NotJsonError } from '../../lib/not-json-error'
import { TimeLimit } from './time-limit'

type In<R, K extends string> =
  R extends Record<K, infer S extends z.core.$ZodType> ? Record<K, z.input<S>> : Partial<Record<K, never>>
type Call = {
  signal?: AbortSignal
  /** For a call that must not run twice; the same key for each retry. */
  idempotencyKey?: string
  /** How long the server may take to answer; webLimits.calls.answerMs by default. */
  answerMs?: number
  /** Goes out as it is, in place of a body. */
  bytes?: Blob
  /** The request is sent even if the page is closed at once. */
  keepalive?: boolean
}
export type Options<R extends Route> = In<R, 'params'> & In<R, 'query'> & In<R, 'body'> & Call
export type Optional<T> = Record<never, never> extends T ? [options?: T] : [options: T]

const Failure = z.object({
  code: z.optional(z.string()),
  message: z.optional(z.string()),
  issues: z.optional(z.array(z.object({ path: z.string(), message: z.string() }))),
  /** Which limit of the person's plan refused the call. */
  planLimitErrorType: z.optional(z.string()),
})

/** Calls a route of the contract with this access token. Every failure is an AppError; every call has a time limit. */
export function request<R extends Route>(
  route: R,
  options: Options<R>,
  accessToken: string | undefined,
): Promise<z.output<R['response']>> {
  return respond(route, options, accessToken, 'application/json', async (response) => {
    const answer = response.status === 204 ? undefined : jsonOf(await response.text())
    if (answer instanceof NotJsonError) throw new AppError('unknown', { cause: answer })
    return parsed(answer, route.response as R['response'])
  })
}

/** Like `request`, for a route that answers a file of this type. */
export function requestFile<R extends Route>(
  route: R,
  options: Options<R>,
  accessToken: string | undefined,
  type: string,
): Promise<Blob> {
  return respond(route, { answerMs: webLimits.calls.slowAnswerMs, ...options }, accessToken, type, async (response) => {
    const blob = await response.blob()
    if (!blob.type.startsWith(type)) throw new AppError('unknown', { cause: new Error(`the answer is ${blob.type}`) })
    return blob
  })
}

async function respond<R extends Route, T>(
  route: R,
  options: Options<R>,
  accessToken: string | undefined,
  accept: string,
  read: (response: Response) => Promise<T>,
): Promise<T> {
  const { params, query, body, bytes, signal, idempotencyKey, answerMs = webLimits.calls.answerMs, keepalive } = options
  const headers: Record<string, string> = { accept, 'accept-language': document.documentElement.lang || 'en-US' }
  if (accessToken !== undefined) headers.authorization = `Bearer ${accessToken}`
  if (body !== undefined) headers['content-type'] = 'application/json'
  if (bytes !== undefined) headers['content-type'] = 'application/octet-stream'
  if (idempotencyKey !== undefined) headers['idempotency-key'] = idempotencyKey
  const limit = new TimeLimit(signal)
  try {
    limit.next(answerMs)
    const response = await fetch(addressOf(route.path, params, query), {
      method: route.method,
      headers,
      credentials: 'same-origin',
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(bytes === undefined ? {} : { body: bytes }),
      ...(keepalive ? { keepalive } : {}),
      signal: limit.signal,
    })
    limit.next(webLimits.calls.bodyMs)
    if (!response.ok) throw await failureOf(response)
    return await read(response)
  } catch (error) {
    throw error instanceof AppError ? error : limit.failure(error)
  } finally {
    limit.end()
  }
}

function addressOf(path: string, params: unknown, query: unknown): string {
  const named = new Map(Object.entries(params ?? {}))
  const filled = path.replace(/:(\w+)/g, (_all, name: string) => encodeURIComponent(String(named.get(name) ?? '')))
  const search = new URLSearchParams(
    Object.entries(query ?? {}).flatMap(([key, value]) => (value === undefined ? [] : [[key, String(value)]])),
  )
  return search.size > 0 ? `${filled}?${search}` : filled
}

/**
 * Some answers are the resource, some are `{ data }`: both are accepted. Each is validated once, since lists can have
 * thousands of entries.
 */
function parsed<S extends z.core.$ZodType>(answer: unknown, schema: S): z.output<S> {
  const whole = z.safeParse(schema, answer)
  if (whole.success) return whole.data
  const inner =
    typeof answer === 'object' && answer !== null && 'data' in answer ? z.safeParse(schema, answer.data) : whole
  if (inner.success) return inner.data
  throw new AppError('unknown', { cause: inner.error })
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return new NotJsonError('the answer is no JSON')
  }
}

/**
 * The AppError of a refused call. A known code gets its text in the person's language; otherwise the server's own
 * message is kept.
 */
export async function failureOf(response: Response): Promise<AppError> {
  const text = await response.text().catch(() => '')
  const body = jsonOf(text)
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN)
  const details = { status: response.status, ...(Number.isFinite(retryAfter) ? { retryAfter } : {}) }
  if (body instanceof NotJsonError) {
    const said = serverMessage(text)
    return new AppError(codeOf(response.status), { ...details, ...(said ? { said } : {}), cause: body })
  }
  const failure = z.safeParse(Failure, body)
  if (!failure.success) return new AppError(codeOf(response.status), details)
  const { code = '', message, issues, planLimitErrorType } = failure.data
  const isAboutCredits = planLimitErrorType === 'credits' && !code.startsWith('credits.')
  if (isAboutCredits || isErrorCode(code)) {
    return new AppError(isAboutCredits || !isErrorCode(code) ? 'credits.not-enough' : code, {
      ...details,
      ...(message ? { message } : {}),
      ...(issues ? { issues } : {}),
    })
  }
  const said = serverMessage(message ?? '')
  return new AppError(codeOf(response.status), { ...details, ...(said ? { said } : {}), ...(issues ? { issues } : {}) })
}

/** A server's message as one line of text. A proxy's HTML page is dropped. */
function serverMessage(text: string): string | undefined {
  if (/^\s*</.test(text)) return undefined
  const line = text.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim()
  return line === '' ? undefined : line.slice(0, webLimits.calls.maxSaidLength)
}

function codeOf(status: number) {
  if (status === 401) return 'unauthenticated' as const
  if (status === 404) return 'not-found' as const
  if (status === 429) return 'rate-limited' as const
  return status >= 500 ? ('server-error' as const) : ('unknown' as const)
}
