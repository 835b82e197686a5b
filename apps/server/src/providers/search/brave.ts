import { serverLimits } from '@parley/contract/limits/server'
import * as z from 'zod/mini'
import type { Egress } from '../egress'
import { hitOf, SearchFailedError, type SearchProvider, searchJson } from './search-provider'

const braveApi = 'https://api.search.brave.com'

/** Without results of the web, `web` is missing. */
const Answer = z.object({ web: z.optional(z.nullable(z.object({ results: z.array(z.unknown()) }))) })
const Result = z.object({ url: z.string(), title: z.catch(z.string(), '') })

/** Brave refuses languages that it does not know. */
const languages: Readonly<Record<string, string>> = { en: 'en', pt: 'pt-br', es: 'es', ar: 'ar' }
/** Of a query: what is longer is refused. */
const maxWords = 50

/** Brave's Web Search API. */
export function createBrave({
  egress,
  apiKey,
  baseUrl = braveApi,
  timeoutMs = serverLimits.sources.search.answerMs,
}: {
  egress: Egress
  apiKey: string
  baseUrl?: string | undefined
  timeoutMs?: number
}): SearchProvider {
  const service = egress.service({ baseUrl, headers: { 'x-subscription-token': apiKey } })
  const { answerBytes: maxBytes } = serverLimits.sources.search
  return {
    async search({ query, language, signal }) {
      const known = languages[language.split('-')[0]?.toLowerCase() ?? '']
      const parameters = new URLSearchParams({
        q: query.split(/\s+/).slice(0, maxWords).join(' '),
        count: '10',
        safesearch: 'moderate',
        text_decorations: 'false',
        result_filter: 'web',
        ...(known === undefined ? {} : { search_lang: known }),
      })
      const json = await searchJson({ service, path: `res/v1/web/search?${parameters}`, signal, timeoutMs, maxBytes })
      const answer = z.safeParse(Answer, json)
      if (!answer.success) throw new SearchFailedError('Brave answered no list of results')
      return (answer.data.web?.results ?? []).flatMap((result) => {
        const read = z.safeParse(Result, result)
        return (read.success && hitOf(read.data)) || []
      })
    },
  }
}
