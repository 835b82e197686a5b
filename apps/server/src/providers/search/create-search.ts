import type { Env } from '../../env'
import type { Egress } from '../egress'
import { createBrave } from './brave'
import type { SearchProvider } from './search-provider'
import { createSearxng } from './searxng'

/**
 * Who searches the web for questions: an engine of the operator's, or the gateway, by OpenRouter's `web` plugin.
 * `cost`: of a search, in dollars.
 */
export type Searching = { by: 'engine'; engine: SearchProvider; cost: string } | { by: 'gateway'; cost: string }

/** Brave's price of one request, and OpenRouter's of five results. */
const usualCost = { searxng: '0', brave: '0.005', gateway: '0.02' }

/** Undefined where questions cannot search the web. */
export function createSearch({ search, egress }: { search: Env['search']; egress: Egress }): Searching | undefined {
  const { provider, searxngUrl, braveApiKey, braveApiUrl } = search
  const cost = search.cost ?? (provider && usualCost[provider]) ?? '0'
  switch (provider) {
    case 'searxng':
      return searxngUrl === undefined
        ? undefined
        : { by: 'engine', engine: createSearxng({ egress, baseUrl: searxngUrl }), cost }
    case 'brave':
      return braveApiKey === undefined
        ? undefined
        : { by: 'engine', engine: createBrave({ egress, apiKey: braveApiKey, baseUrl: braveApiUrl }), cost }
    case 'gateway':
      return { by: 'gateway', cost }
    case undefined:
      return undefined
  }
}
