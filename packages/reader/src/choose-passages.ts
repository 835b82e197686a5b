import { limits } from '@parley/contract/limits/shared'
import type { Passage } from '@parley/contract/read-document'
import { estimateTokens } from '@parley/contract/token-estimate'
import { createLexicalIndex, type LexicalIndex, searchSources } from './lexical-index'

export type SourceToChoose = {
  id: string
  passages: readonly Passage[]
  /** Saves making it again. */
  index?: LexicalIndex | undefined
}

export type ChosenSource = { id: string; reading: 'whole' | 'passages'; of: number; passages: Passage[] }

type Question = {
  question: string
  sources: readonly SourceToChoose[]
  /** What the sources may take of the window. */
  roomTokens: number
  maxPassages?: number
  /** An order found elsewhere, such as by vectors, best first: it is merged with the one by words. */
  ranked?: readonly { id: string; index: number }[]
}

/** The number, the page and the headings that go along with a passage. */
const overheadTokens = 12
const maxRanked = 400
/** The best passage of each source that is nearly as good as the best of all is sent, before more of one. */
const nearlyAsGood = 0.7
/** So much of the room these first ones may take; the best of all sources together have it until it is so full. */
const leadersShare = 0.2
const bestShare = 0.85
/** With so many of the best what stands around them is sent. */
const withNeighbours = 3

export const passageTokens = ({ text, headings }: Passage): number =>
  estimateTokens(text) + estimateTokens(headings.slice(-2).join(' ')) + overheadTokens

/**
 * What of the sources goes along with a question: everything where it has room, else the best passages, a few with
 * their neighbours, from all sources that fit the question. Passages are in their documents' order.
 */
export function choosePassages({ question, sources, roomTokens, maxPassages, ranked }: Question): ChosenSource[] {
  const most = maxPassages ?? limits.sources.maxSentPassages
  const count = sources.reduce((sum, { passages }) => sum + passages.length, 0)
  const tokens = sources.reduce(
    (sum, { passages }) => sum + passages.reduce((all, each) => all + passageTokens(each), 0),
    0,
  )
  if (tokens <= roomTokens && count <= most) {
    return sources.flatMap(({ id, passages }) =>
      passages.length === 0 ? [] : [{ id, reading: 'whole' as const, of: passages.length, passages: [...passages] }],
    )
  }
  const basket = emptyBasket(sources, roomTokens, most)
  const order = merged(byWords(question, sources), ranked ?? [], sources)
  for (const hit of leaders(order)) if (basket.used() < roomTokens * leadersShare) basket.add(hit)
  for (const hit of order) if (basket.used() < roomTokens * bestShare) basket.add(hit)
  for (const { source, index } of order.slice(0, withNeighbours))
    for (const step of [1, -1]) basket.add({ source, index: index + step, score: 0 })
  for (const hit of order) basket.add(hit)
  if (order.length === 0) for (const hit of overview(sources)) basket.add(hit)
  return basket.contents()
}

type Hit = { source: number; index: number; score: number }

function byWords(question: string, sources: readonly SourceToChoose[]): Hit[] {
  const indexes = sources.map(({ index, passages }) => index ?? createLexicalIndex(passages))
  return searchSources(question, indexes, { limit: maxRanked })
}

/** Reciprocal ranks: both orders count, whatever their scores are. */
function merged(hits: Hit[], ranked: NonNullable<Question['ranked']>, sources: readonly SourceToChoose[]): Hit[] {
  if (ranked.length === 0) return hits
  const scores = new Map<string, Hit>()
  const add = (source: number, index: number, rank: number) => {
    const key = `${source} ${index}`
    const known = scores.get(key) ?? { source, index, score: 0 }
    scores.set(key, { ...known, score: known.score + 1 / (60 + rank) })
  }
  for (const [rank, { source, index }] of hits.entries()) add(source, index, rank)
  for (const [rank, { id, index }] of ranked.entries()) {
    const source = sources.findIndex((each) => each.id === id)
    if (source >= 0) add(source, index, rank)
  }
  return [...scores.values()].sort((one, other) => other.score - one.score)
}

function leaders(order: readonly Hit[]): Hit[] {
  const least = (order[0]?.score ?? 0) * nearlyAsGood
  const seen = new Set<number>()
  return order.filter(({ source, score }) => {
    if (seen.has(source) || score < least) return false
    seen.add(source)
    return true
  })
}

/** No word of the question is in any source, as in "summarise this": the beginnings, then what begins a part. */
function overview(sources: readonly SourceToChoose[]): Hit[] {
  const first = sources.map((_, source) => ({ source, index: 0, score: 0 }))
  const parts = sources.flatMap(({ passages }, source) =>
    passages
      .filter(({ headings, index }) => headings.join('\n') !== passages[index - 1]?.headings.join('\n'))
      .map(({ index }) => ({ source, index, score: 0 })),
  )
  const most = Math.max(0, ...sources.map(({ passages }) => passages.length))
  const rest = Array.from({ length: most }, (_, index) => sources.map((__, source) => ({ source, index, score: 0 })))
  return [...first, ...evenly(parts), ...rest.flat()]
}

/** In an order that is spread over the whole, however much of it is taken. */
function evenly<T>(all: readonly T[]): T[] {
  const taken = new Set<number>()
  for (let steps = 1; taken.size < all.length && steps <= all.length * 2; steps *= 2)
    for (let step = 0; step < steps; step++) taken.add(Math.floor((step * all.length) / steps))
  return [...taken].flatMap((index) => all[index] ?? [])
}

function emptyBasket(sources: readonly SourceToChoose[], roomTokens: number, most: number) {
  const chosen = sources.map(() => new Set<number>())
  let room = roomTokens
  let count = 0
  return {
    add({ source, index }: Hit): void {
      const passage = sources[source]?.passages[index]
      const own = chosen[source]
      if (!passage || !own || own.has(index) || count >= most) return
      const tokens = passageTokens(passage)
      if (tokens > room) return
      room -= tokens
      count++
      own.add(index)
    },
    used: () => roomTokens - room,
    contents: (): ChosenSource[] =>
      sources.flatMap(({ id, passages }, source) => {
        const own = chosen[source]
        if (!own || own.size === 0) return []
        const reading = own.size === passages.length ? ('whole' as const) : ('passages' as const)
        return [{ id, reading, of: passages.length, passages: passages.filter((_, index) => own.has(index)) }]
      }),
  }
}
