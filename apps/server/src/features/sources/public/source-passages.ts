import type { SentPassage, SentSource } from '@parley/contract/sent-sources'
import type { Db } from '../../../db/client'
import { fromStored } from '../../messages/public/stored-text'
import { bestPassages } from '../passage-search'
import { type ActiveSource, type FoundPassage, listActive } from '../passage-store'

/** `ownerId`: the channel's owner. `roomTokens`: what sources may take of the model's window. */
type Question = { ownerId: string; channelId: string; question: string; roomTokens: number }

/** What of a channel's active sources goes along with a question: all where it fits, else the best passages. */
export class SourcePassages {
  constructor(private readonly deps: { db: Db }) {}

  /** Sources oldest first, passages in their order, numbered from 1. */
  async passagesFor({ ownerId, channelId, question, roomTokens }: Question): Promise<SentSource[]> {
    const { db } = this.deps
    const channel = { userId: ownerId, channelId }
    const active = await listActive(db, channel)
    if (active.length === 0 || roomTokens <= 0) return []
    const asked = { ownerId, sources: active, scopes: [channelId], question, roomTokens }
    return sentOf(active, await bestPassages(db, asked))
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
