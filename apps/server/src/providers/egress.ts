import type { Readable } from 'node:stream'
import { AppError } from '@parley/contract/errors'
import { serverLimits } from '@parley/contract/limits/server'
import { Agent, request } from 'undici'
import { boundedBody, discard } from './web/bounded-body'
import { isAllowed, publicLookup, type Resolve, requirePublicUrl } from './web/public-address'

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

/** What an address of a person's answered, whole. */
type WebFile = {
  /** Where it was found, after redirects. */
  url: string
  /** In lower case, without parameters; empty where none was told. */
  mediaType: string
  bytes: Uint8Array
}

/**
 * Gets what stands at an address that a person gave: public addresses alone, each hop of at most
 * `serverLimits.sources.maxRedirects` checked like the first. Throws source.url-….
 */
export type PublicWeb = (url: string, options: { signal: AbortSignal; language?: string }) => Promise<WebFile>

/** The only door to the outside: no other file may make a request. */
export interface Egress {
  /**
   * A service whose address comes from the configuration, never from a person. Its secrets go to exactly its own
   * origin: redirects are not followed, because they would carry them elsewhere.
   */
  service(options: { baseUrl: string; headers?: Record<string, string> }): Service
  publicWeb: PublicWeb
}

/** `allowedHosts`: addresses of the operator's own network that people may have read, each as exact `host:port`. */
type EgressOptions = { allowedHosts?: readonly string[]; resolve?: Resolve }

export function createEgress({ allowedHosts = [], resolve }: EgressOptions = {}): Egress {
  // An answer may take minutes to begin and to end; whoever calls sets the times by its signal.
  const agent = new Agent({
    connect: { timeout: serverLimits.upstream.connectMs },
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: 30_000,
  })

  return {
    publicWeb: createPublicWeb(new Set(allowedHosts), resolve),
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

const { fetchBytes, fetchMs, maxRedirects } = serverLimits.sources
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

function createPublicWeb(allowedHosts: ReadonlySet<string>, resolve?: Resolve): PublicWeb {
  const connect = { timeout: serverLimits.upstream.connectMs }
  // Nothing is kept open: the next page is another person's. One agent knows no exceptions, the other nothing else.
  const ofEverybody = new Agent({ connect: { ...connect, lookup: publicLookup(() => false, resolve) }, pipelining: 0 })
  const ofOperator = new Agent({ connect, pipelining: 0 })

  return async (given, { signal: outer, language }) => {
    const timeout = AbortSignal.timeout(fetchMs)
    const signal = AbortSignal.any([outer, timeout])
    let url = requirePublicUrl(given, allowedHosts)
    try {
      for (let hop = 0; hop <= maxRedirects; hop++) {
        const response = await request(url, {
          signal,
          dispatcher: isAllowed(url, allowedHosts) ? ofOperator : ofEverybody,
          headers: {
            'user-agent': 'Mozilla/5.0 (compatible; Parley)',
            accept: 'text/html,application/xhtml+xml,application/pdf,text/*;q=0.9,*/*;q=0.5',
            'accept-encoding': 'gzip, deflate, br',
            ...(language === undefined ? {} : { 'accept-language': language }),
          },
        })
        const header = (name: string): string => {
          const value = response.headers[name]
          return (Array.isArray(value) ? value.join(', ') : value) ?? ''
        }
        if (redirects.has(response.statusCode)) {
          discard(response.body)
          url = redirected(url, header('location'), allowedHosts)
          continue
        }
        if (response.statusCode < 200 || response.statusCode >= 300) {
          discard(response.body)
          throw new AppError('source.url-status')
        }
        const bytes = await boundedBody(response.body, header('content-encoding'), fetchBytes)
        const mediaType = header('content-type').split(';')[0]?.trim().toLowerCase() ?? ''
        return { url: url.href, mediaType, bytes }
      }
      throw new AppError('source.url-status')
    } catch (error) {
      if (outer.aborted || error instanceof AppError) throw error
      // undici hides what the look-up refused behind the failure of its connection.
      const cause = error instanceof Error ? error.cause : undefined
      if (cause instanceof AppError) throw cause
      throw new AppError('source.url-unreachable', { cause: error })
    }
  }
}

function redirected(from: URL, location: string, allowedHosts: ReadonlySet<string>): URL {
  if (location === '' || !URL.canParse(location, from.href)) throw new AppError('source.url-status')
  const to = requirePublicUrl(new URL(location, from).href, allowedHosts)
  if (from.protocol === 'https:' && to.protocol === 'http:') throw new AppError('source.url-refused')
  return to
}
