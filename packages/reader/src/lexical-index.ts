import type { Passage } from '@parley/contract/read-document'
import { kindsIn } from './answer-kinds'
import { type Hit, searchIndexes } from './lexical-search'
import { termsOf } from './words'

type Indexed = Pick<Passage, 'text' | 'headings'>

/**
 * The words of a source's passages. `terms`: for each, passage by passage, the distance from the passage before, how
 * often it stands in its headings, how often in its text, and the distances between its places there.
 */
export type LexicalIndexJson = { v: 1; lengths: number[]; terms: Record<string, number[]> }

export type LexicalIndex = {
  readonly data: LexicalIndexData
  /** The best passages, best first; none where no word of the question is in any. */
  search(question: string, options: { limit: number }): { index: number; score: number }[]
  /** A form that can be stored, and sealed. */
  toJSON(): LexicalIndexJson
}

export type LexicalIndexData = { lengths: number[]; totalLength: number; terms: Map<string, number[]> }

/** A heading is above many passages: its words count, but not as often as they stand in long ones. */
const maxHeadings = 6

export function createLexicalIndex(passages: readonly Indexed[]): LexicalIndex {
  const terms = new Map<string, number[]>()
  const lengths: number[] = []
  const last = new Map<string, number>()
  for (const [index, { text, headings }] of passages.entries()) {
    const places = new Map<string, { inHeadings: number; at: number[] }>()
    const placesOf = (term: string) => {
      const known = places.get(term)
      if (known) return known
      const fresh = { inHeadings: 0, at: [] }
      places.set(term, fresh)
      return fresh
    }
    for (const { term } of termsOf(headings.slice(-maxHeadings).join('\n'))) placesOf(term).inHeadings++
    const found = termsOf(text)
    for (const { term, at } of found) placesOf(term).at.push(at)
    for (const kind of kindsIn(text)) placesOf(kind).at.push(0)
    lengths.push(found.length)
    for (const [term, { inHeadings, at }] of places) {
      const postings = terms.get(term) ?? []
      if (postings.length === 0) terms.set(term, postings)
      postings.push(index - (last.get(term) ?? 0), inHeadings, at.length)
      let before = 0
      for (const place of at) {
        postings.push(place - before)
        before = place
      }
      last.set(term, index)
    }
  }
  return indexOf(lengths, terms)
}

/** Throws where it is not what `toJSON` gave. */
export function readLexicalIndex(json: LexicalIndexJson): LexicalIndex {
  if (json.v !== 1 || !Array.isArray(json.lengths)) throw new Error('not a lexical index of this version')
  return indexOf(json.lengths, new Map(Object.entries(json.terms)))
}

function indexOf(lengths: number[], terms: Map<string, number[]>): LexicalIndex {
  const data = { lengths, totalLength: lengths.reduce((sum, length) => sum + length, 0), terms }
  return {
    data,
    search: (question, { limit }) =>
      searchIndexes(question, [data], { limit }).map(({ index, score }) => ({ index, score })),
    toJSON: () => ({ v: 1, lengths, terms: Object.fromEntries(terms) }),
  }
}

/**
 * Passages of several sources by how well they fit a question, best first: words are weighed by all of them together.
 */
export function searchSources(question: string, indexes: readonly LexicalIndex[], options: { limit: number }): Hit[] {
  return searchIndexes(
    question,
    indexes.map(({ data }) => data),
    options,
  )
}

/** The same passages by how well they fit a question, best first; those that do not at all are left out. */
export function rankPassages<P extends Indexed>(question: string, passages: readonly P[], limit: number): P[] {
  return createLexicalIndex(passages)
    .search(question, { limit })
    .flatMap(({ index }) => passages[index] ?? [])
}
