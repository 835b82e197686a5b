import type * as z from 'zod/mini'

type Schema = z.core.$ZodType

/** One call of the HTTP API: the server mounts it with `handle`, the browser makes it with `api`. */
export type Route = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** With Fastify's `:name` parameters. */
  path: string
  params?: Schema
  query?: Schema
  body?: Schema
  response: Schema
  /** Success status; 200 unless said. */
  status?: 200 | 201 | 202 | 204
  summary: string
}

export function route<const R extends Route>(definition: R): R {
  return definition
}
