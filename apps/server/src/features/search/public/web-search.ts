import { serverLimits } from '@parley/contract/limits/server'
import { formatDollars, type Nano, noMoney } from '@parley/contract/money'
import type { SentSource } from '@parley/contract/sent-sources'
import type { FastifyBaseLogger } from 'fastify'
import type { LlmProvider } from '../../../providers/llm'
import type { Searching } from '../../../providers/search/create-search'
import type { SearchHit } from '../../../providers/search/search-provider'
import type { PageReader, PassagesOfPage } from '../../sources/public/page-reader'
import { pagesToRead, sentOf } from '../found-pages'
import { Turns } from '../turns'

export { cleanQuery, queryOf, queryPrompt } from '../search-query'

type Deps = {
  searching: Searching | undefined
  llm: Pick<LlmProvider, 'kind'>
  pages: Pick<PageReader, 'passagesOf'>
  /** What people are charged for something that costs the operator so many dollars. */
  priceOf: (cost: string) => Nano
  log: FastifyBaseLogger
}

/** How questions are searched for. `price`: what a search is charged at most, beside the answer. */
export type SearchOffer = { by: 'engine' | 'gateway'; price: Nano; isPaidByOperator: boolean }

type WebQuestion = {
  query: string
  /** Together with the query it decides which passages are the best. */
  question: string
  roomTokens: number
  /** Of the first passage: those of the channel's sources have numbers already. */
  firstNumber: number
  /** The person's, such as pt-BR. */
  language: string
  signal: AbortSignal
}

const { totalMs, maxPages, pagesAtOncePerNode, maxPassagesPerPage } = serverLimits.sources.search

/** The search of the web for questions. Nothing of it is kept, and neither query nor addresses are logged. */
export class WebSearch {
  private readonly turns = new Turns(pagesAtOncePerNode)

  constructor(private readonly deps: Deps) {}

  /** Undefined where questions cannot search the web. */
  offer(): SearchOffer | undefined {
    const { searching, llm, priceOf } = this.deps
    if (!searching || llm.kind === 'offline' || (searching.by === 'gateway' && llm.kind !== 'gateway')) return undefined
    return { by: searching.by, price: priceOf(searching.cost), isPaidByOperator: Number(searching.cost) > 0 }
  }

  /** As the public configuration tells it. */
  publicOffer(): { price?: string; byGateway?: boolean } | undefined {
    const offer = this.offer()
    return (
      offer && {
        ...(offer.price === noMoney ? {} : { price: formatDollars(offer.price) }),
        ...(offer.by === 'gateway' ? { byGateway: true } : {}),
      }
    )
  }

  /**
   * The best passages of a few pages that an engine finds; none where nothing was found, or nothing could be read.
   * Never throws: an answer goes on without a search that failed.
   */
  async sources({ query, question, language, signal: outer, ...place }: WebQuestion): Promise<SentSource[]> {
    const { searching, log } = this.deps
    if (searching?.by !== 'engine' || query === '' || place.roomTokens <= 0) return []
    const signal = AbortSignal.any([outer, AbortSignal.timeout(totalMs)])
    try {
      const hits = await searching.engine.search({ query, language, signal })
      const pages = await this.read(pagesToRead(hits), { language, signal })
      if (outer.aborted) return []
      return sentOf(pages, { question: `${query} ${question}`, ...place })
    } catch (error) {
      if (!outer.aborted) log.warn({ err: error }, 'a search of the web failed')
      return []
    }
  }

  /**
   * The first pages that can be read, in the engine's order. One that cannot is left out, and the next one is tried.
   */
  private async read(
    hits: readonly SearchHit[],
    order: { language: string; signal: AbortSignal },
  ): Promise<PassagesOfPage[]> {
    const { pages } = this.deps
    const read: { at: number; page: PassagesOfPage }[] = []
    let next = 0
    const readNext = async (): Promise<void> => {
      while (read.length < maxPages && next < hits.length && !order.signal.aborted) {
        const at = next++
        const url = hits[at]?.url ?? ''
        const page = await this.turns
          .take(() => pages.passagesOf(url, { ...order, maxPassages: maxPassagesPerPage }), order.signal)
          .catch(() => undefined)
        if (page && page.passages.length > 0) read.push({ at, page })
      }
    }
    await Promise.all(Array.from({ length: pagesAtOncePerNode }, readNext))
    return read
      .toSorted((one, other) => one.at - other.at)
      .slice(0, maxPages)
      .map(({ page }) => page)
  }
}
