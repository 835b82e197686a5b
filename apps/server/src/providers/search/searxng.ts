import { serverLimits } from '@parley/contract/limits/server'
import * as z from 'zod/mini'
import type { Egress } from '../egress'
import { hitOf, SearchFailedError, type SearchProvider, searchJson } from './search-provider'

const Answer = z.object({ results: z.array(z.unknown()) })
const Result = z.object({ url: z.string(), title: z.catch(z.string(), '') })

/**
 * SearXNG's search API. Its settings must list `json` among the formats, or it answers 403. `baseUrl`: of the instance,
 * with its path where it has one.
 */
export function createSearxng({
  egress,
  baseUrl,
  timeoutMs = serverLimits.sources.search.answerMs,
}: {
  egress: Egress
  baseUrl: string
  timeoutMs?: number
}): SearchProvider {
  const service = egress.service({ baseUrl })
  const { answerBytes: maxBytes } = serverLimits.sources.search
  return {
    async search({ query, language, signal }) {
      const parameters = new URLSearchParams({ q: query, format: 'json', language, safesearch: '1' })
      const json = await searchJson({ service, path: `search?${parameters}`, signal, timeoutMs, maxBytes })
      const answer = z.safeParse(Answer, json)
      if (!answer.success) throw new SearchFailedError('SearXNG answered no list of results')
      return answer.data.results.flatMap((result) => {
        const read = z.safeParse(Result, result)
        return (read.success && hitOf(read.data)) || []
      })
    },
  }
}
