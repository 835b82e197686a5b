import { limits } from '@parley/contract/limits/shared'
import { searchWords } from '@parley/contract/search-text'
import type { SentPassage, SentSource } from '@parley/contract/sent-sources'
import { estimateTokens } from '@parley/contract/token-estimate'
import type { Db } from '../../../db/client'
import { fromStored } from '../../messages/public/stored-text'
import { type ActiveSource, type FoundPassage, listActive, readPassages, searchPassages } from '../passage-store'

/** `ownerId`: the channel's owner. `roomTokens`: what sources may take of the model's window. */
type Question = { ownerId: string; channelId: string; question: string; roomTokens: number }

/** The number, the page and the headings that go along with a passage. */
const overheadTokens = 12
/** A token has at most so many characters, but in texts that are made to be otherwise. */
const charactersPerToken = 6
const maxCandidates = 400
/** A word more or less is no matter in a long question. */
const wordsPerSearch = 12
const maxTerms = 64

/** What of a channel's active sources goes along with a question: all where it fits, else the best passages. */
export class SourcePassages {
  constructor(private readonly deps: { db: Db }) {}

  /** Sources oldest first, passages in their order, numbered from 1. */
  async passagesFor({ ownerId, channelId, question, roomTokens }: Question): Promise<SentSource[]> {
    const { db } = this.deps
    const channel = { userId: ownerId, channelId }
    const active = await listActive(db, channel)
    if (active.length === 0 || roomTokens <= 0) return []
    const ids = active.map(({ id }) => id)
    const characters = active.reduce((sum, source) => sum + (source.characters ?? 0), 0)
    const count = active.reduce((sum, { passages }) => sum + (passages ?? 0), 0)
    const all =
      characters <= roomTokens * charactersPerToken && count <= limits.sources.maxSentPassages
        ? await readPassages(db, ownerId, ids)
        : []
    const hasAll = all.length > 0 && within(all, roomTokens).length === all.length
    const chosen = hasAll
      ? all
      : within(
          await searchPassages(db, channel, { sourceIds: ids, terms: termsOf(question), limit: maxCandidates }),
          roomTokens,
        )
    return sentOf(active, chosen)
  }
}

/** The first of them that have room together. */
function within(passages: readonly FoundPassage[], roomTokens: number): FoundPassage[] {
  let left = roomTokens
  return passages.slice(0, limits.sources.maxSentPassages).filter((passage) => {
    const tokens = estimateTokens(`${passage.headings.join(' ')} ${passage.text}`) + overheadTokens
    if (tokens > left) return false
    left -= tokens
    return true
  })
}

function termsOf(question: string): string[] {
  const words = question.split(/\s+/)
  const parts = Array.from({ length: Math.ceil(words.length / wordsPerSearch) }, (_, part) =>
    words.slice(part * wordsPerSearch, (part + 1) * wordsPerSearch).join(' '),
  )
  return [...new Set(parts.flatMap((part) => searchWords(part).terms))].slice(0, maxTerms)
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
