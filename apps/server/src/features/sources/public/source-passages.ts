import type { SentPassage, SentSource } from '@parley/contract/sent-sources'
import type { Db } from '../../../db/client'
import { fromStored } from '../../messages/public/stored-text'
import { bestPassages } from '../passage-search'
import { type ActiveSource, type FoundPassage, listActive } from '../passage-store'
import type { VectorSearch } from '../vector-search'

/** `ownerId`: the channel's owner. `roomTokens`: what sources may take of the model's window. */
export type PassageQuestion = { ownerId: string; channelId: string; question: string; roomTokens: number }

/** What of a channel's active sources goes along with a question: all where it fits, else the best passages. */
export class SourcePassages {
  /** `vectors`: searches by meaning too. */
  constructor(private readonly deps: { db: Db; vectors?: Pick<VectorSearch, 'nearest'> | undefined }) {}

  /** Sources oldest first, passages in their order, numbered from 1. */
  async passagesFor(asked: PassageQuestion): Promise<SentSource[]> {
    const { ownerId: userId, channelId } = asked
    return this.passagesOf(await listActive(this.deps.db, { userId, channelId }), asked)
  }

  /** Of these sources of the channel alone. */
  async passagesOf(active: readonly ActiveSource[], { channelId, ...asked }: PassageQuestion): Promise<SentSource[]> {
    return sentOf(active, await bestPassages(this.deps, { ...asked, sources: active, scopes: [channelId] }))
  }
}

function sentOf(active: readonly ActiveSource[], chosen: readonly FoundPassage[]): SentSource[] {
  let n = 0
  return active.flatMap(({ id, name, mediaType, bytes, url, pages, passages }) => {
    const own = chosen.filter(({ sourceId }) => sourceId === id).sort((one, other) => one.index - other.index)
    if (own.length === 0) return []
    const sent: SentPassage[] = own.map(({ text, page, headings }) => ({
      n: ++n,
      text,
      ...(page === undefined ? {} : { page }),
      ...(headings.length === 0 ? {} : { headings: headings.slice(-10) }),
    }))
    const of = passages ?? own.length
    return {
      ...{ fileId: id, name: fromStored(name), mediaType, bytes, of, passages: sent },
      ...(url === null ? {} : { url }),
      ...(pages === null ? {} : { pages }),
      reading: own.length === of ? ('whole' as const) : ('passages' as const),
    }
  })
}
