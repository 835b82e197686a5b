import type { Readable } from 'node:stream'
import { serverLimits } from '@parley/contract/limits/server'
import { Agent, request } from 'undici'

type ServiceRequest = {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  body?: string | Readable
  headers?: Record<string, string>
  signal: AbortSignal
}

type ServiceResponse = {
  status: number
  isOk: boolean
  header(name: string): string | undefined
  /** Either this or `text` is read. */
  body: Readable
  text(): Promise<string>
}

/** Calls one service of the operator's configuration. The path is appended to its base address. */
export type Service = (path: string, request: ServiceRequest) => Promise<ServiceResponse>

/** The only door to the outside: no other file may make a request. */
export interface Egress {
  /**
   * A service whose address comes from the configuration, never from a person. Its secrets go to exactly its own
   * origin: redirects are not followed, because they would carry them elsewhere.
   */
  service(options: { baseUrl: string; headers?: Record<string, string> }): Service
}

export function createEgress(): Egress {
  // An answer may take minutes to begin and to end; whoever calls sets the times by its signal.
  const agent = new Agent({
    connect: { timeout: serverLimits.upstream.connectMs },
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: 30_000,
  })

  return {
    service({ baseUrl, headers: own = {} }) {
      const base = new URL(baseUrl.endsWith('/') ? baseUrl : `${baseUrl}/`)
      return async (path, { method = 'GET', body, headers = {}, signal }) => {
        const url = new URL(path.replace(/^\//, ''), base)
        if (url.origin !== base.origin) throw new TypeError('A service is called at its own origin only')
        // Not fetch: its streams cost more than all that the server does with a token.
        const response = await request(url, {
          method,
          headers: { ...own, ...headers },
          signal,
          dispatcher: agent,
          body: body ?? null,
        })
        return {
          status: response.statusCode,
          isOk: response.statusCode >= 200 && response.statusCode < 300,
          header(name) {
            const value = response.headers[name.toLowerCase()]
            return Array.isArray(value) ? value[0] : value
          },
          body: response.body,
          text: () => response.body.text(),
        }
      }
    },
  }
}
