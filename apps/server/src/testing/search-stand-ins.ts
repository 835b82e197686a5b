// Search engines for tests: the protocols of SearXNG and Brave over real sockets, with scripted results and failures.
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

export type FoundPage = { url: string; title: string; content?: string }

export type SearchStandIn = {
  url: string
  /** `host:port` */
  host: string
  results: FoundPage[]
  /** The queries, in their order. */
  queries: string[]
  /** The parameters of the last request. */
  last: URLSearchParams
  /** Answers in the place of the engine. */
  fault: RequestListener | undefined
}

/** `onEnd` closes what was started, such as vitest's onTestFinished. */
type OnEnd = (close: () => Promise<void>) => void

export async function startServer(listener: RequestListener, onEnd: OnEnd): Promise<{ url: string; host: string }> {
  const server: Server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onEnd(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return { host, url: `http://${host}` }
}

type Reply = { status: number; json: unknown }
type Engine = (
  parameters: URLSearchParams,
  asked: { path: string; token: string | undefined; results: FoundPage[] },
) => Reply

async function startEngine(engine: Engine, onEnd: OnEnd): Promise<SearchStandIn> {
  const standIn: SearchStandIn = {
    ...{ url: '', host: '', results: [], queries: [], last: new URLSearchParams(), fault: undefined },
  }
  const address = await startServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://stand-in')
    standIn.last = searchParams
    standIn.queries.push(searchParams.get('q') ?? '')
    if (standIn.fault) return standIn.fault(request, response)
    const token = request.headers['x-subscription-token']
    const asked = { path: pathname, token: typeof token === 'string' ? token : undefined, results: standIn.results }
    const { status, json } = engine(searchParams, asked)
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json))
  }, onEnd)
  return Object.assign(standIn, address)
}

/** With `json` among its formats. */
export const startSearxng = (onEnd: OnEnd): Promise<SearchStandIn> =>
  startEngine((parameters, { path, results }) => {
    if (path !== '/search' || parameters.get('format') !== 'json') return { status: 403, json: 'Forbidden' }
    if (!parameters.get('q')) return { status: 400, json: 'No query' }
    return {
      status: 200,
      json: {
        ...{ query: parameters.get('q'), number_of_results: 0, answers: [], corrections: [], infoboxes: [] },
        ...{ suggestions: [], unresponsive_engines: [] },
        results: results.map(({ url, title, content = '' }) => ({
          ...{ url, title, content, engine: 'stand-in', engines: ['stand-in'], positions: [1], score: 1 },
          category: 'general',
        })),
      },
    }
  }, onEnd)

export const braveKey = 'brave-canary-key'
const braveLanguages: ReadonlySet<string> = new Set(['en', 'pt-br', 'pt-pt', 'es', 'ar', 'de', 'fr'])

export const startBrave = (onEnd: OnEnd): Promise<SearchStandIn> =>
  startEngine((parameters, { path, token, results }) => {
    const refused = (status: number, code: string): Reply => ({
      status,
      json: { type: 'ErrorResponse', error: { status, code, detail: 'refused' }, time: 0 },
    })
    if (path !== '/res/v1/web/search') return refused(404, 'RESOURCE_NOT_FOUND')
    if (token !== braveKey) return refused(422, 'SUBSCRIPTION_TOKEN_INVALID')
    const query = parameters.get('q') ?? ''
    const language = parameters.get('search_lang')
    const isValid = query !== '' && query.length <= 400 && query.split(' ').length <= 50
    if (!isValid || (language !== null && !braveLanguages.has(language))) return refused(422, 'VALIDATION')
    const found = results.map(({ url, title, content = '' }) => ({
      ...{ title, url, description: content, is_source_local: false, family_friendly: true, type: 'search_result' },
    }))
    const web = found.length === 0 ? {} : { web: { type: 'search', results: found, family_friendly: true } }
    return { status: 200, json: { type: 'search', query: { original: query, more_results_available: false }, ...web } }
  }, onEnd)
