import { AppError, isErrorCode } from '@parley/contract/errors'
import { limits } from '@parley/contract/limits'
import type { Route } from '@parley/contract/route'
import * as z from 'zod/mini'
import { NotJsonError } from '../../lib/not-json-error'
import { TimeLimit } from './time-limit'

type In<R, K extends string> = R extends Record<K, infer S extends z.core.$ZodType> ? Record<K, z.input<S>> : Partial<Record<K, never>>
type Call = {
  signal?: AbortSignal
  /** Of a call that must not be made twice, the same each time that it is tried. */
  idempotencyKey?: string
  /** How long the server may take to answer; limits.calls.answerMs unless said. */
  answerMs?: number
  /** It goes out even if the page is left at once. */
  keepalive?: boolean
}
export type Options<R extends Route> = In<R, 'params'> & In<R, 'query'> & In<R, 'body'> & Call
export type Optional<T> = Record<never, never> extends T ? [options?: T] : [options: T]

const Failure = z.object({
  code: z.optional(z.string()),
  message: z.optional(z.string()),
  issues: z.optional(z.array(z.object({ path: z.string(), message: z.string() }))),
  /** Which limit of the person's plan it is that refuses. */
  planLimitErrorType: z.optional(z.string()),
})

/** Makes a call of the contract, in the name of whoever holds the access token. Every failure is an AppError; no call waits for ever. */
export function request<R extends Route>(route: R, options: Options<R>, accessToken: string | undefined): Promise<z.output<R['response']>> {
  return respond(route, options, accessToken, 'application/json', async (response) => {
    const answer = response.status === 204 ? undefined : jsonOf(await response.text())
    if (answer instanceof NotJsonError) throw new AppError('unknown', { cause: answer })
    return parsed(answer, route.response as R['response'])
  })
}

/** As `request`, for an answer that is a file of this type. */
export function requestFile<R extends Route>(route: R, options: Options<R>, accessToken: string | undefined, type: string): Promise<Blob> {
  return respond(route, { answerMs: limits.calls.slowAnswerMs, ...options }, accessToken, type, async (response) => {
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
  const { params, query, body, signal, idempotencyKey, answerMs = limits.calls.answerMs, keepalive } = options
  const headers: Record<string, string> = { accept, 'accept-language': document.documentElement.lang || 'en-US' }
  if (accessToken !== undefined) headers.authorization = `Bearer ${accessToken}`
  if (body !== undefined) headers['content-type'] = 'application/json'
  if (idempotencyKey !== undefined) headers['idempotency-key'] = idempotencyKey
  const limit = new TimeLimit(signal)
  try {
    limit.next(answerMs)
    const response = await fetch(addressOf(route.path, params, query), {
      method: route.method,
      headers,
      credentials: 'same-origin',
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(keepalive ? { keepalive } : {}),
      signal: limit.signal,
    })
    limit.next(limits.calls.bodyMs)
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
  const search = new URLSearchParams(Object.entries(query ?? {}).flatMap(([key, value]) => (value === undefined ? [] : [[key, String(value)]])))
  return search.size > 0 ? `${filled}?${search}` : filled
}

/** Some answers are the resource, some are `{ data }`: both are accepted. A list of thousands is parsed once. */
function parsed<S extends z.core.$ZodType>(answer: unknown, schema: S): z.output<S> {
  const whole = z.safeParse(schema, answer)
  if (whole.success) return whole.data
  const inner = typeof answer === 'object' && answer !== null && 'data' in answer ? z.safeParse(schema, answer.data) : whole
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

/** What a refused call says. Known codes have their text in the person's language; of anything else the server's own words are kept. */
export async function failureOf(response: Response): Promise<AppError> {
  const text = await response.text().catch(() => '')
  const body = jsonOf(text)
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN)
  const details = { status: response.status, ...(Number.isFinite(retryAfter) ? { retryAfter } : {}) }
  if (body instanceof NotJsonError) {
    const said = saidOf(text)
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
  const said = saidOf(message ?? '')
  return new AppError(codeOf(response.status), { ...details, ...(said ? { said } : {}), ...(issues ? { issues } : {}) })
}

/** A server's words as one line of text. The page of a proxy says nothing to a person. */
function saidOf(text: string): string | undefined {
  if (/^\s*</.test(text)) return undefined
  const line = text.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim()
  return line === '' ? undefined : line.slice(0, limits.calls.maxSaidLength)
}

function codeOf(status: number) {
  if (status === 401) return 'unauthenticated' as const
  if (status === 404) return 'not-found' as const
  if (status === 429) return 'rate-limited' as const
  return status >= 500 ? ('server-error' as const) : ('unknown' as const)
}
