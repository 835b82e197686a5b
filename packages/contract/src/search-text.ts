// How messages are searched in both homes: what counts as a word, what matches it, and which passage shows it. The
// cloud and the device find the same.
import { limits } from './limits/shared'

/** Of a message, in UTF-16 units of question and answer each: PostgreSQL refuses more than 1 MB of words. */
const maxSearchable = 75_000

/** Between the question and the answer of a passage's text. */
const gap = '\n'

/** Words as the index has them: no accents, no capitals, nothing but letters and digits, one space between them. */
function fold(text: string): string {
  return plain(text)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

/** Σ has two small letters, by its place in the word. */
const plain = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replaceAll('ς', 'σ')

/** What the index has of a message. */
export function foldedMessage(question: string, answer: string): string {
  return `${searchable(question)} ${searchable(answer)}`
}

/** In pairs a text is longer than it was; a cut must not leave half a surrogate pair. */
const searchable = (text: string): string =>
  runsOf(text.slice(0, maxSearchable))
    .flatMap((run) => (isUnspaced(run) ? [...pairsOf(run), Array.from(run).at(-1)] : run))
    .join(' ')
    .slice(0, maxSearchable)
    .replace(/\p{Cs}/gu, '')

/** Scripts that write no spaces between words are indexed, and looked for, by pairs of characters. */
const unspaced =
  '\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}'
const runs = new RegExp(`[${unspaced}]+|[^ ${unspaced}]+`, 'gu')
const beginsUnspaced = new RegExp(`^[${unspaced}]`, 'u')
const isUnspaced = (run: string): boolean => beginsUnspaced.test(run)

/** Words, and what stands between spaces of scripts that have none. */
const runsOf = (text: string): string[] => fold(text).match(runs) ?? []

function pairsOf(run: string): string[] {
  const characters = Array.from(run)
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`)
}

/**
 * What to look for. `prefixes` begin words; `parts` may stand anywhere, because their scripts write no spaces. `terms`
 * are both as the index has them, each the beginning of an entry.
 */
export type SearchWords = { prefixes: string[]; parts: string[]; terms: string[] }

const maxWords = 16

export function searchWords(query: string): SearchWords {
  const words = [...new Set(runsOf(query))].slice(0, maxWords)
  const terms = words.flatMap((word) => (isUnspaced(word) && Array.from(word).length > 1 ? pairsOf(word) : word))
  return {
    prefixes: words.filter((word) => !isUnspaced(word)),
    parts: words.filter(isUnspaced),
    terms: [...new Set(terms)],
  }
}

type Passage = { passage: string; marks: [number, number][] }

/** The place of a message that shows most of the words, cut from the original text, with what matched marked. */
export function passageOf(question: string, answer: string, words: SearchWords): Passage {
  const text = `${question.slice(0, maxSearchable)}${gap}${answer.slice(0, maxSearchable)}`
  const found = matchesIn(text, words)
  const window = bestWindow(text, found)
  const marks = found.filter(({ from, to }) => from >= window.from && to <= window.to)
  return {
    passage: text.slice(window.from, window.to),
    marks: marks.map(({ from, to }) => [from - window.from, to - window.from]),
  }
}

type Match = { from: number; to: number; word: string }

/** Where the words stand in the original, in order and without overlap. */
function matchesIn(text: string, { prefixes, parts }: SearchWords): Match[] {
  const { folded, starts } = foldedWithPlaces(text)
  const all: Match[] = []
  for (const word of prefixes)
    collect(word, (at) => at === 0 || folded[at - 1] === ' ' || isUnspaced(folded[at - 1] ?? ''))
  for (const word of parts) collect(word, () => true)
  all.sort((a, b) => a.from - b.from || b.to - a.to)
  let end = 0
  return all.filter(({ from, to }) => {
    if (from < end) return false
    end = to
    return true
  })

  function collect(word: string, fits: (at: number) => boolean): void {
    for (let at = folded.indexOf(word); at >= 0; at = folded.indexOf(word, at + word.length))
      if (fits(at)) all.push({ from: starts[at] ?? 0, to: starts[at + word.length] ?? text.length, word })
  }
}

/**
 * As `fold`, but one blank for each character that is no letter, and with the place of every folded unit in the
 * original.
 */
function foldedWithPlaces(text: string): { folded: string; starts: number[] } {
  let folded = ''
  const starts: number[] = []
  const known = new Map<string, string>()
  let at = 0
  for (const character of text) {
    const kept = known.get(character) ?? plain(character).replace(/[^\p{L}\p{N}]/gu, ' ')
    known.set(character, kept)
    for (let unit = 0; unit < kept.length; unit++) starts.push(at)
    folded += kept
    at += character.length
  }
  starts.push(at)
  return { folded, starts }
}

/** As long as a passage may be, around the match after which most different words follow. */
function bestWindow(text: string, found: readonly Match[]): { from: number; to: number } {
  const { passageLength } = limits.cloud
  let best = found[0]
  let most = 0
  for (const [index, match] of found.entries()) {
    const near = new Set<string>()
    for (let next = index; next < found.length && (found[next]?.to ?? 0) <= match.from + passageLength * 0.75; next++)
      near.add(found[next]?.word ?? '')
    if (near.size > most) [best, most] = [match, near.size]
  }
  const from = cutBefore(text, Math.max(0, (best?.from ?? 0) - Math.floor(passageLength / 4)), best?.from ?? 0)
  return { from, to: cutPoint(text, Math.min(text.length, Math.max(from + passageLength, best?.to ?? 0))) }
}

/** Begins with a whole word where one begins soon. */
function cutBefore(text: string, from: number, latest: number): number {
  if (from === 0) return 0
  const blank = text.slice(from, latest).search(/\s/u)
  return blank < 0 ? cutPoint(text, from) : from + blank + 1
}

/** Never between the halves of a surrogate pair. */
function cutPoint(text: string, at: number): number {
  return at > 0 &&
    at < text.length &&
    /[\uDC00-\uDFFF]/.test(text[at] ?? '') &&
    /[\uD800-\uDBFF]/.test(text[at - 1] ?? '')
    ? at - 1
    : at
}
