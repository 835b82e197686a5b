import { AppError, isErrorCode } from '@parley/contract/errors'
import type { Route } from '@parley/contract/route'
import * as z from 'zod/mini'
import { NotJsonError } from '../../lib/not-json-error'

type In<R, K extends string> = R extends Record<K, infer S extends z.core.$ZodType> ? Record<K, z.input<S>> : Partial<Record<K, never>>
/** `idempotencyKey`: of a call that must not be made twice, the same each time that it is tried. */
export type Options<R extends Route> = In<R, 'params'> & In<R, 'query'> & In<R, 'body'> & { signal?: AbortSignal; idempotencyKey?: string }
export type Optional<T> = Record<never, never> extends T ? [options?: T] : [options: T]

const Failure = z.object({
  code: z.string(),
  message: z.optional(z.string()),
  issues: z.optional(z.array(z.object({ path: z.string(), message: z.string() }))),
  /** Which limit of the person's plan it is that refuses. */
  planLimitErrorType: z.optional(z.string()),
})

/** Makes a call of the contract, in the name of whoever holds the access token. Every failure is an AppError; the server's own words win over the catalogue's. */
export async function request<R extends Route>(route: R, options: Options<R>, accessToken: string | undefined): Promise<z.output<R['response']>> {
  const response = await respond(route, options, accessToken, 'application/json')
  const answer: unknown = response.status === 204 ? undefined : await response.json().catch(notJson)
  if (answer instanceof NotJsonError) throw new AppError('unknown', { cause: answer })
  const schema: R['response'] = route.response
  const parsed = z.safeParse(schema, unwrapped(answer, schema))
  if (!parsed.success) throw new AppError('unknown', { cause: parsed.error })
  return parsed.data
}

/** As `request`, for an answer that is a file of this type. */
export async function requestFile<R extends Route>(route: R, options: Options<R>, accessToken: string | undefined, type: string): Promise<Blob> {
  const response = await respond(route, options, accessToken, type)
  const blob = await response.blob().catch((error: unknown) => {
    throw new AppError('network', { cause: error })
  })
  if (!blob.type.startsWith(type)) throw new AppError('unknown', { cause: new Error(`the answer is ${blob.type}`) })
  return blob
}

async function respond<R extends Route>(route: R, options: Options<R>, accessToken: string | undefined, accept: string): Promise<Response> {
  const { params, query, body, signal, idempotencyKey } = options
  const headers: Record<string, string> = { accept, 'accept-language': document.documentElement.lang || 'en-US' }
  if (accessToken !== undefined) headers.authorization = `Bearer ${accessToken}`
  if (body !== undefined) headers['content-type'] = 'application/json'
  if (idempotencyKey !== undefined) headers['idempotency-key'] = idempotencyKey
  let response: Response
  try {
    response = await fetch(addressOf(route.path, params, query), {
      method: route.method,
      headers,
      credentials: 'same-origin',
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal ? { signal } : {}),
    })
  } catch (error) {
    signal?.throwIfAborted()
    throw new AppError('network', { cause: error })
  }
  if (!response.ok) throw await failureOf(response)
  return response
}

function addressOf(path: string, params: unknown, query: unknown): string {
  const named = new Map(Object.entries(params ?? {}))
  const filled = path.replace(/:(\w+)/g, (_all, name: string) => encodeURIComponent(String(named.get(name) ?? '')))
  const search = new URLSearchParams(Object.entries(query ?? {}).flatMap(([key, value]) => (value === undefined ? [] : [[key, String(value)]])))
  return search.size > 0 ? `${filled}?${search}` : filled
}

/** Some answers are the resource, some are `{ data }`: both are accepted. */
function unwrapped(answer: unknown, schema: z.core.$ZodType): unknown {
  if (z.safeParse(schema, answer).success || typeof answer !== 'object' || answer === null || !('data' in answer)) return answer
  return answer.data
}

const notJson = (): NotJsonError => new NotJsonError('the answer is no JSON')

export async function failureOf(response: Response): Promise<AppError> {
  const body: unknown = await response.json().catch(notJson)
  const failure = z.safeParse(Failure, body)
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN)
  const details = { status: response.status, ...(Number.isFinite(retryAfter) ? { retryAfter } : {}) }
  if (!failure.success) return new AppError(codeOf(response.status), { ...details, ...(body instanceof NotJsonError ? { cause: body } : {}) })
  const { code, message, issues, planLimitErrorType } = failure.data
  const known = isErrorCode(code) ? code : codeOf(response.status)
  const isAboutCredits = planLimitErrorType === 'credits' && !known.startsWith('credits.')
  return new AppError(isAboutCredits ? 'credits.not-enough' : known, { ...details, ...(message ? { message } : {}), ...(issues ? { issues } : {}) })
}

function codeOf(status: number) {
  if (status === 401) return 'unauthenticated' as const
  if (status === 404) return 'not-found' as const
  if (status === 429) return 'rate-limited' as const
  return status >= 500 ? ('server-error' as const) : ('unknown' as const)
}
