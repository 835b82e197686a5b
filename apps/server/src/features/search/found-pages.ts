import { serverLimits } from '@parley/contract/limits/server'
import { limits } from '@parley/contract/limits/shared'
import { fitSources, foundFileId, type SentSource } from '@parley/contract/sent-sources'
import { choosePassages } from '@parley/reader/choose-passages'
import type { SearchHit } from '../../providers/search/search-provider'
import type { PassagesOfPage } from '../sources/public/page-reader'

const { maxPagesOfSite, maxSentPassages } = serverLimits.sources.search

/** The pages that are worth reading, in the engine's order: each once, and few of one website. */
export function pagesToRead(hits: readonly SearchHit[]): SearchHit[] {
  const seen = new Set<string>()
  const ofSite = new Map<string, number>()
  return hits.filter(({ url }) => {
    if (url.length > limits.sources.maxUrlLength) return false
    const address = new URL(url)
    address.hash = ''
    const site = address.hostname.replace(/^www\./, '')
    const count = ofSite.get(site) ?? 0
    if (seen.has(address.href) || count >= maxPagesOfSite) return false
    seen.add(address.href)
    ofSite.set(site, count + 1)
    return true
  })
}

type Chosen = {
  /** What the passages are compared with. */
  question: string
  roomTokens: number
  /** Of the first passage. */
  firstNumber: number
}

/** The best passages of the pages that were read, numbered in their order. A page that redirected to another is one. */
export function sentOf(pages: readonly PassagesOfPage[], { question, roomTokens, firstNumber }: Chosen): SentSource[] {
  const read = new Map(pages.map((page) => [page.url, page]))
  const sources = [...read.values()].map(({ url, passages }) => ({ id: url, passages }))
  const chosen = choosePassages({ question, sources, roomTokens, maxPassages: maxSentPassages })
  let n = firstNumber
  const sent = chosen.flatMap(({ id, passages }) => {
    const page = read.get(id)
    if (!page || passages.length === 0 || page.url.length > limits.sources.maxUrlLength) return []
    const { url, title, mediaType, bytes, of } = page
    return {
      ...{ fileId: foundFileId(url), name: nameOf(title, url), url, mediaType, bytes, of },
      reading: passages.length === of ? ('whole' as const) : ('passages' as const),
      passages: passages.map(({ text, headings, page: at }) => ({
        ...{ n: n++, text },
        ...(at === undefined ? {} : { page: at }),
        ...(headings.length === 0 ? {} : { headings: headings.slice(-10) }),
      })),
    }
  })
  return fitSources(sent, roomTokens).filter(({ passages }) => passages.length > 0)
}

/** In one line: it stands in lists. */
const nameOf = (title: string, url: string): string =>
  [...title.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim()].slice(0, limits.sources.maxNameLength / 2).join('') ||
  new URL(url).hostname
