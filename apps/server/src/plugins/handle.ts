import { ErrorBody } from '@parley/contract/error-body'
import { AppError } from '@parley/contract/errors'
import { serverLimits } from '@parley/contract/limits/server'
import type { Route } from '@parley/contract/route'
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import type * as z from 'zod/mini'
import { type Person, subjectOf } from './people'
import { storable } from './storable'

/**
 * Who may call a route. anyone: no identity is asked for. visitor: whoever can be told apart from others, signed in or
 * by the anonymous cookie, which the call sets where it is missing. person: whoever is signed in; everybody else gets
 * 401.
 */
export type Permission = 'anyone' | 'visitor' | 'person'

type Value<R, K extends string> = R extends Record<K, infer S extends z.core.$ZodType> ? z.output<S> : undefined

export type Call<R extends Route, P extends Permission> = {
  params: Value<R, 'params'>
  query: Value<R, 'query'>
  body: Value<R, 'body'>
  /** `user:{id}` or `anon:{id}`; undefined where the permission asks for nobody. */
  subject: P extends 'anyone' ? undefined : string
  /** The signed-in person; for a visitor there may be none. */
  person: P extends 'person' ? Person : P extends 'visitor' ? Person | undefined : undefined
  request: FastifyRequest
  reply: FastifyReply
}

/**
 * Mounts a route of the contract: parameters, query, body and answer are checked by its schemas, the permission before
 * the handler runs. What changes something is refused to pages of other sites: they must not act in the name of whoever
 * visits them.
 */
export function handle<const R extends Route, const P extends Permission>(
  app: FastifyInstance,
  route: R,
  /**
   * `bodyBytes`: where a body may be larger than usual. `keepsAnyText`: the route itself keeps, cleans or refuses each
   * text of its query and body.
   */
  options: { permission: P; perMinute?: number; bodyBytes?: number; keepsAnyText?: true },
  handler: (call: Call<R, P>) => Value<R, 'response'> | Promise<Value<R, 'response'>>,
): void {
  const method: HTTPMethods = route.method
  const status = route.status ?? 200
  app.route({
    method,
    url: route.path,
    schema: {
      summary: route.summary,
      tags: [route.path.split('/').find((part) => part !== '' && part !== 'api') ?? 'api'],
      ...(route.params ? { params: route.params } : {}),
      ...(route.query ? { querystring: route.query } : {}),
      ...(route.body ? { body: route.body } : {}),
      response: { [status]: route.response, default: ErrorBody },
    },
    bodyLimit: options.bodyBytes ?? serverLimits.http.bodyBytes,
    config: { rateLimit: { max: options.perMinute ?? serverLimits.http.requestsPerMinute } },
    preValidation: async (request) => {
      request.params = storable(request.params)
      if (!options.keepsAnyText) request.query = storable(request.query)
      // Neither a form's parts nor raw bytes are parsed yet.
      if (!options.keepsAnyText && !Buffer.isBuffer(request.body)) request.body = storable(request.body)
    },
    handler: async (request, reply) => {
      if (method !== 'GET' && request.headers.origin !== undefined && !app.origins.isOwn(request.headers.origin))
        throw new AppError('forbidden')
      const { subject, person } = await identify(app, options.permission, request, reply)
      // Fastify has parsed all three with the schemas of this very route.
      const call = {
        params: request.params,
        query: request.query,
        body: request.body,
        subject,
        person,
        request,
        reply,
      } as unknown as Call<R, P>
      const answer = await handler(call)
      return reply.code(status).header('cache-control', 'no-store').send(answer)
    },
  })
}

async function identify(app: FastifyInstance, permission: Permission, request: FastifyRequest, reply: FastifyReply) {
  if (permission === 'anyone') return { subject: undefined, person: undefined }
  const person = await app.people.identify(request)
  if (person) return { subject: subjectOf(person), person }
  if (permission === 'person') throw new AppError('unauthenticated')
  return { subject: app.visitors.ensure(request, reply), person: undefined }
}
