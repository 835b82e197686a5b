import { kindsAskedFor } from './answer-kinds'
import type { LexicalIndexData } from './lexical-index'
import { relatedTo } from './thesaurus'
import { termsOf } from './words'

/** `source`: the position of its index among those that were searched. */
export type Hit = { source: number; index: number; score: number }

/** BM25's usual constants; a word in a heading counts as so many in the text. */
const saturation = 1.2
const lengthShare = 0.75
const headingWeight = 1.6
/** So much of its words' weight a passage gains that has two words of the question side by side, in their order. */
const adjacency = 0.35
/** Words of a question that stand within so many words are near each other. */
const nearWords = 8
const nearness = 0.15
/** Only of the best the places of the words are compared. */
const maxCompared = 300

type Wanted = { term: string; at: number; weight: number; postings: (number[] | undefined)[] }
type Found = {
  source: number
  index: number
  score: number /** Where its part of each word's postings begins. */
  places: Map<Wanted, number>
}

export function searchIndexes(
  question: string,
  indexes: readonly LexicalIndexData[],
  { limit }: { limit: number },
): Hit[] {
  const passages = indexes.reduce((sum, { lengths }) => sum + lengths.length, 0)
  const average = indexes.reduce((sum, { totalLength }) => sum + totalLength, 0) / Math.max(1, passages) || 1
  const wanted = wantedOf(question, indexes, passages)
  const found = scored(wanted, indexes, average)
  const best = found.sort((one, other) => other.score - one.score).slice(0, Math.max(limit, maxCompared))
  for (const each of best.slice(0, maxCompared)) each.score *= 1 + closeness(each, wanted)
  const total = wanted.reduce((sum, { weight }) => sum + weight, 0) || 1
  for (const each of best) each.score *= 0.6 + 0.4 * coverage(each, total)
  return best
    .sort((one, other) => other.score - one.score || one.source - other.source || one.index - other.index)
    .slice(0, limit)
    .map(({ source, index, score }) => ({ source, index, score }))
}

/** How much of the question's weight the passage has at all: two of its rare words are more than one of them twice. */
const coverage = ({ places }: Found, total: number): number =>
  [...places.keys()].reduce((sum, { weight }) => sum + weight, 0) / total

/**
 * What has not the word itself but a related one counts for less; so does what is only of the kind that is asked for.
 */
const relatedWeight = 0.45
const kindWeight = 0.8

function wantedOf(question: string, indexes: readonly LexicalIndexData[], passages: number): Wanted[] {
  const wanted = new Map<string, Wanted>()
  const add = (term: string, at: number, share: number, canBeSimilar: boolean): void => {
    if (wanted.has(term)) return
    const exact = indexes.map(({ terms }) => terms.get(term))
    const isKnown = exact.some((postings) => postings !== undefined)
    if (!isKnown && !canBeSimilar) return
    const postings = isKnown ? exact : indexes.map(({ terms }) => similar(term, terms))
    const count = postings.reduce((sum, each) => sum + countOf(each), 0)
    if (count === 0) return
    const weight = Math.log(1 + (passages - count + 0.5) / (count + 0.5)) * (isKnown ? 1 : 0.5) * share
    wanted.set(term, { term, at, weight, postings })
  }
  const terms = termsOf(question.slice(0, 8_000))
  for (const { term, at } of terms) add(term, at, 1, relatedTo(term).length === 0)
  if (wanted.size === 0 && terms.length === 0) return []
  for (const { term } of terms) for (const related of relatedTo(term)) add(related, -1_000, relatedWeight, false)
  for (const kind of kindsAskedFor(question)) add(kind, -1_000, kindWeight, false)
  return [...wanted.values()]
}

const minSimilar = 5

/** A word that is in no passage may be one that is there with another ending or a slip of the pen. */
function similar(term: string, terms: Map<string, number[]>): number[] | undefined {
  if (term.length < minSimilar || /\d/.test(term)) return undefined
  const stem = term.slice(0, Math.max(minSimilar, term.length - 2))
  let best: number[] | undefined
  for (const [other, postings] of terms) {
    if (Math.abs(other.length - term.length) > 5 || other.length < minSimilar) continue
    if (other.startsWith(stem) || term.startsWith(other) || isOneSlip(term, other)) {
      if (!best || postings.length > best.length) best = postings
    }
  }
  return best
}

/** One letter too many, too few, another one, or two exchanged. */
function isOneSlip(one: string, other: string): boolean {
  if (Math.abs(one.length - other.length) > 1 || one[0] !== other[0]) return false
  let from = 0
  while (from < one.length && one[from] === other[from]) from++
  const rest = (text: string, skip: number) => text.slice(from + skip)
  return (
    rest(one, 1) === rest(other, 1) ||
    rest(one, 1) === rest(other, 0) ||
    rest(one, 0) === rest(other, 1) ||
    (one[from] === other[from + 1] && one[from + 1] === other[from] && rest(one, 2) === rest(other, 2))
  )
}

function countOf(postings: readonly number[] | undefined): number {
  let count = 0
  for (let at = 0; postings && at < postings.length; at += 3 + (postings[at + 2] ?? 0)) count++
  return count
}

function scored(wanted: readonly Wanted[], indexes: readonly LexicalIndexData[], average: number): Found[] {
  const all: Found[] = []
  for (const [source, { lengths }] of indexes.entries()) {
    const found = new Map<number, Found>()
    for (const each of wanted) {
      const postings = each.postings[source]
      if (!postings) continue
      let index = 0
      for (let at = 0; at < postings.length; ) {
        index += postings[at] ?? 0
        const count = postings[at + 2] ?? 0
        const inText = count + headingWeight * Math.min(2, postings[at + 1] ?? 0)
        const length = 1 - lengthShare + lengthShare * ((lengths[index] ?? average) / average)
        const hit = found.get(index) ?? { source, index, score: 0, places: new Map() }
        found.set(index, hit)
        hit.score += (each.weight * inText * (saturation + 1)) / (inText + saturation * length)
        hit.places.set(each, at)
        at += 3 + count
      }
    }
    // That it has a number is no reason to send a passage, where it has none of the words.
    for (const hit of found.values()) if (hasWord(hit)) all.push(hit)
  }
  return all
}

/** Few are enough to tell whether words stand together. */
const maxPlaces = 20

function placesOf({ places, source }: Found, wanted: Wanted | undefined): number[] | undefined {
  const from = wanted && places.get(wanted)
  const postings = wanted?.postings[source]
  if (from === undefined || !postings) return undefined
  const found: number[] = []
  let place = 0
  for (let at = from + 3; at < from + 3 + Math.min(postings[from + 2] ?? 0, maxPlaces); at++) {
    place += postings[at] ?? 0
    found.push(place)
  }
  return found
}

function hasWord({ places }: Found): boolean {
  for (const { term } of places.keys()) if (!term.startsWith('#')) return true
  return false
}

function closeness(found: Found, wanted: readonly Wanted[]): number {
  let bonus = 0
  const total = wanted.reduce((sum, { weight }) => sum + weight, 0) || 1
  for (const [index, one] of wanted.entries()) {
    const other = wanted[index + 1]
    const first = placesOf(found, one)
    const second = placesOf(found, other)
    if (!other || !first || !second || one.at < 0 || other.at < 0) continue
    const share = (one.weight + other.weight) / total
    const gap = other.at - one.at
    const distances = first.flatMap((place) => second.map((next) => next - place))
    if (distances.includes(gap)) bonus += adjacency * share
    else if (distances.some((distance) => Math.abs(distance) <= nearWords)) bonus += nearness * share
  }
  return bonus
}
