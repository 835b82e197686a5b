import { limits } from '@parley/contract/limits/shared'
import { searchWords } from '@parley/contract/search-text'
import { estimateTokens } from '@parley/contract/token-estimate'
import { choosePassages } from '@parley/reader/choose-passages'
import { rankPassages } from '@parley/reader/lexical-index'
import type { Db } from '../../db/client'
import { type FoundPassage, readPassages, searchPassages } from './passage-store'

/**
 * Some read sources of one person, and what is asked. `scopes`: their channel, or the ids of an agent's files.
 * `roomTokens`: what they may take of the model's window.
 */
export type PassageQuestion = {
  ownerId: string
  sources: readonly { id: string; passages: number | null }[]
  scopes: string[]
  question: string
  roomTokens: number
}

/** The number, the page and the headings that go along with a passage. */
const overheadTokens = 12
/** More would hold up the node: then the database searches first. */
const maxIndexed = 600
const maxCandidates = 400
/** A word more or less is no matter in a long question. */
const wordsPerSearch = 12
const maxTerms = 64

/** All passages of the sources where they fit, else the best ones; in any order. */
export async function bestPassages(db: Db, asked: PassageQuestion): Promise<FoundPassage[]> {
  const { ownerId, sources, scopes, question, roomTokens } = asked
  if (sources.length === 0 || roomTokens <= 0) return []
  const sourceIds = sources.map(({ id }) => id)
  const count = sources.reduce((sum, { passages }) => sum + (passages ?? 0), 0)
  if (count <= maxIndexed) return chosenOf(await readPassages(db, ownerId, sourceIds), { question, roomTokens })
  const search = { ownerId, scopes, sourceIds, terms: termsOf(question), limit: maxCandidates }
  return within(rankPassages(question, await searchPassages(db, search), maxCandidates), roomTokens)
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
