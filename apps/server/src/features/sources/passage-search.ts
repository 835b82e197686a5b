import { limits } from '@parley/contract/limits/shared'
import { searchWords } from '@parley/contract/search-text'
import { estimateTokens } from '@parley/contract/token-estimate'
import { choosePassages, passageTokens } from '@parley/reader/choose-passages'
import { rankPassages } from '@parley/reader/lexical-index'
import type { Db } from '../../db/client'
import { type FoundPassage, passagesAt, readPassages, searchPassages, spreadPassages } from './passage-store'
import type { VectorSearch } from './vector-search'
import type { PassageKey } from './vector-store'

/**
 * Some read sources of one person, and what is asked. `scopes`: their channel, or the ids of an agent's files.
 * `roomTokens`: what they may take of the model's window.
 */
type SearchQuestion = {
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
/** So that the first of one order does not outweigh all of the other. */
const smoothing = 60

type Deps = { db: Db; vectors?: Pick<VectorSearch, 'nearest'> | undefined }

/** All passages of the sources where they fit, else those whose words and whose meaning are nearest; in any order. */
export async function bestPassages({ db, vectors }: Deps, asked: SearchQuestion): Promise<FoundPassage[]> {
  const { ownerId, sources, scopes, question, roomTokens } = asked
  if (sources.length === 0 || roomTokens <= 0) return []
  const sourceIds = sources.map(({ id }) => id)
  const count = sources.reduce((sum, { passages }) => sum + (passages ?? 0), 0)
  if (count <= maxIndexed) {
    const all = await readPassages(db, ownerId, sourceIds)
    const tokens = all.reduce((sum, passage) => sum + passageTokens(passage), 0)
    const near = tokens <= roomTokens ? [] : ((await vectors?.nearest(question, { ownerId, sourceIds })) ?? [])
    return chosenOf(all, asked, near)
  }
  const search = { ownerId, scopes, sourceIds, terms: termsOf(question), limit: maxCandidates }
  const [byWords, near = []] = await Promise.all([
    searchPassages(db, search).then((found) => rankPassages(question, found, maxCandidates)),
    vectors?.nearest(question, { ownerId, sourceIds }),
  ])
  // No word of the question is in any of them, as in "summarise this".
  if (byWords.length === 0 && near.length === 0) {
    const spread = await spreadPassages(db, ownerId, sourceIds, maxIndexed)
    return chosenOf(spread, { ...asked, question: '' }, [])
  }
  const known = new Set(byWords.map(keyOf))
  const others = await passagesAt(
    db,
    ownerId,
    near.filter((key) => !known.has(keyOf(key))),
  )
  return within(fused([...byWords, ...others], [byWords, near]), roomTokens)
}

const keyOf = ({ sourceId, index }: PassageKey): string => `${sourceId} ${index}`

/** Reciprocal ranks: each order counts, whatever its scores are. */
function fused(passages: readonly FoundPassage[], orders: readonly (readonly PassageKey[])[]): FoundPassage[] {
  const scores = new Map<string, number>()
  for (const order of orders)
    for (const [rank, key] of order.entries())
      scores.set(keyOf(key), (scores.get(keyOf(key)) ?? 0) + 1 / (smoothing + rank))
  return passages.toSorted((one, other) => (scores.get(keyOf(other)) ?? 0) - (scores.get(keyOf(one)) ?? 0))
}

/** With the neighbours of the best, and with an overview where no word of the question is in any source. */
function chosenOf(
  all: readonly FoundPassage[],
  { question, roomTokens }: SearchQuestion,
  near: readonly PassageKey[],
): FoundPassage[] {
  const sources = [...new Set(all.map(({ sourceId }) => sourceId))].map((id) => ({
    id,
    passages: all.filter(({ sourceId }) => sourceId === id),
  }))
  const ranked = near.map(({ sourceId: id, index }) => ({ id, index }))
  return choosePassages({ question, roomTokens, sources, ranked }).flatMap(({ id, passages }) =>
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
