import { limits } from '@parley/contract/limits/shared'
import { searchWords } from '@parley/contract/search-text'
import type { SentPassage, SentSource } from '@parley/contract/sent-sources'
import { estimateTokens } from '@parley/contract/token-estimate'
import { choosePassages } from '@parley/reader/choose-passages'
import { rankPassages } from '@parley/reader/lexical-index'
import type { Db } from '../../../db/client'
import { fromStored } from '../../messages/public/stored-text'
import {
  type ActiveSource,
  type FoundPassage,
  listActive,
  readPassages,
  searchPassages,
  spreadPassages,
} from '../passage-store'

/** `ownerId`: the channel's owner. `roomTokens`: what sources may take of the model's window. */
export type PassageQuestion = { ownerId: string; channelId: string; question: string; roomTokens: number }

/** The number, the page and the headings that go along with a passage. */
const overheadTokens = 12
/** More would hold up the node: then the database searches first. */
const maxIndexed = 600
const maxCandidates = 400
/** A word more or less is no matter in a long question. */
const wordsPerSearch = 12
const maxTerms = 64

/** What of a channel's active sources goes along with a question: all where it fits, else the best passages. */
export class SourcePassages {
  constructor(private readonly deps: { db: Db }) {}

  /** Sources oldest first, passages in their order, numbered from 1. */
  async passagesFor(asked: PassageQuestion): Promise<SentSource[]> {
    const { ownerId: userId, channelId } = asked
    return this.passagesOf(await listActive(this.deps.db, { userId, channelId }), asked)
  }

  /** Of these sources of the channel alone. */
  async passagesOf(
    active: readonly ActiveSource[],
    { ownerId, channelId, question, roomTokens }: PassageQuestion,
  ): Promise<SentSource[]> {
    const { db } = this.deps
    const channel = { userId: ownerId, channelId }
    if (active.length === 0 || roomTokens <= 0) return []
    const ids = active.map(({ id }) => id)
    const count = active.reduce((sum, { passages }) => sum + (passages ?? 0), 0)
    if (count <= maxIndexed)
      return sentOf(active, chosenOf(await readPassages(db, ownerId, ids), { question, roomTokens }))
    const search = { sourceIds: ids, terms: termsOf(question), limit: maxCandidates }
    const candidates = await searchPassages(db, channel, search)
    // No word of the question is in any of them, as in "summarise this".
    if (candidates.length === 0) {
      const spread = await spreadPassages(db, ownerId, ids, maxIndexed)
      return sentOf(active, chosenOf(spread, { question: '', roomTokens }))
    }
    return sentOf(active, within(rankPassages(question, candidates, maxCandidates), roomTokens))
  }
}

/** With the neighbours of the best, and with an overview where no word of the question is in any source. */
function chosenOf(
  all: readonly FoundPassage[],
  asked: Pick<PassageQuestion, 'question' | 'roomTokens'>,
): FoundPassage[] {
  const sources = [...new Set(all.map(({ sourceId }) => sourceId))].map((id) => ({
    id,
    passages: all.filter(({ sourceId }) => sourceId === id),
  }))
  return choosePassages({ ...asked, sources }).flatMap(({ id, passages }) =>
    passages.map((passage) => ({ ...passage, sourceId: id })),
  )
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
