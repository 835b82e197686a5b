import type { Service } from '../egress'
import { boundedBody, discard } from '../web/bounded-body'

/**
 * A page that a search engine has found. `url` is an http(s) address; whether it may be called is checked where it is.
 */
export type SearchHit = { url: string; title: string }

type SearchRequest = {
  query: string
  /** The person's, such as pt-BR. */
  language: string
  signal: AbortSignal
}

/** A search engine of the operator's. */
export interface SearchProvider {
  /** The best hit first. Throws SearchFailedError, which tells nothing of the query. */
  search(request: SearchRequest): Promise<SearchHit[]>
}

/** The engine did not answer, refused, or answered something else than its protocol. */
export class SearchFailedError extends Error {
  override name = 'SearchFailedError'
}

type Call = { service: Service; path: string; signal: AbortSignal; timeoutMs: number; maxBytes: number }

/**
 * The JSON of an engine's answer, bounded in time and bytes. A redirect is a refusal: it would carry the operator's key
 * elsewhere. Throws SearchFailedError.
 */
export async function searchJson({ service, path, signal: outer, timeoutMs, maxBytes }: Call): Promise<unknown> {
  const signal = AbortSignal.any([outer, AbortSignal.timeout(timeoutMs)])
  try {
    const response = await service(path, { headers: { accept: 'application/json' }, signal })
    if (!response.isOk) {
      discard(response.body)
      throw new SearchFailedError(`the search engine answered ${response.status}`)
    }
    const bytes = await boundedBody(response.body, response.header('content-encoding') ?? '', maxBytes)
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch (error) {
    if (outer.aborted || error instanceof SearchFailedError) throw error
    // Without its cause, which quotes the answer, and that may repeat the query.
    if (error instanceof SyntaxError) throw new SearchFailedError('the search engine answered no JSON')
    throw new SearchFailedError('the search engine could not be asked', { cause: error })
  }
}

/** A hit with an address of the web; undefined for anything else. */
export function hitOf({ url, title }: { url: string; title: string }): SearchHit | undefined {
  if (!URL.canParse(url)) return undefined
  const address = new URL(url)
  if (address.protocol !== 'http:' && address.protocol !== 'https:') return undefined
  return { url, title: title.trim() || address.hostname }
}
