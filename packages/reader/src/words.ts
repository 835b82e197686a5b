import { fold } from './fold'
import { stem } from './stem'
import { isStopWord } from './stop-words'

/** A word as the index has it, and where it stands among the words of its text. */
export type Term = { term: string; at: number }

/** Scripts that write no spaces between words are indexed by pairs of characters. */
const unspaced =
  '\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}'
/** A word with what may stand in the middle of one: 1.234,56, SKU-4411/b, d’água, user_name, a.b@c.org. */
const wordPattern = new RegExp(
  `[${unspaced}]+|(?:(?![${unspaced}])[\\p{L}\\p{N}])+(?:[.,_@:/'’+&-](?:(?![${unspaced}])[\\p{L}\\p{N}])+)*`,
  'gu',
)
const isUnspaced = new RegExp(`^[${unspaced}]`, 'u')

/** The words of a text without accents and capitals, by their stems; numbers and identifiers also as they are. */
export function termsOf(text: string): Term[] {
  const terms: Term[] = []
  let at = 0
  for (const [word] of text.normalize('NFC').matchAll(wordPattern)) {
    if (isUnspaced.test(word)) at = addPairs(word, at, terms)
    else at = addWord(word, at, terms)
  }
  return terms
}

function addPairs(run: string, from: number, terms: Term[]): number {
  const characters = Array.from(run)
  if (characters.length === 1) terms.push({ term: run, at: from })
  for (let index = 1; index < characters.length; index++)
    terms.push({ term: `${characters[index - 1]}${characters[index]}`, at: from + index - 1 })
  return from + characters.length
}

function addWord(word: string, from: number, terms: Term[]): number {
  const folded = fold(word)
  if (/^\d[\d.,]*$/.test(folded)) {
    terms.push({ term: canonicalNumber(folded), at: from })
    return from + 1
  }
  const parts = partsOf(word)
  if (parts.length === 1) {
    if (!isStopWord(folded)) terms.push({ term: stem(folded), at: from })
    return from + 1
  }
  // An identifier is found by its parts and, above all, as a whole.
  terms.push({ term: folded.replace(/[^\p{L}\p{N}]/gu, ''), at: from })
  let at = from
  for (const part of parts) {
    const own = fold(part)
    if (/^\d+$/.test(own) || (own.length > 1 && !isStopWord(own))) terms.push({ term: stem(own), at })
    at++
  }
  return at
}

const separators = /[.,_@:/'’+&-]/

function partsOf(word: string): string[] {
  const parts = word.split(separators)
  const isCamel = /\p{Ll}\p{Lu}/u.test(word) && !/^\p{Lu}\p{Ll}+\p{Lu}?$/u.test(word)
  const all = isCamel ? parts.flatMap((part) => part.split(/(?<=\p{Ll})(?=\p{Lu})/u)) : parts
  return all.filter((part) => part !== '')
}

/** 1.234,56 and 1,234.56 and 1234.56 are one number. A lone separator before three digits separates thousands. */
function canonicalNumber(text: string): string {
  const last = Math.max(text.lastIndexOf('.'), text.lastIndexOf(','))
  const digits = (part: string) => part.replace(/[.,]/g, '')
  if (last < 0) return digits(text)
  const after = text.slice(last + 1)
  const separator = text[last] ?? '.'
  const isDecimal = after.length !== 3 && text.indexOf(separator) === last && after !== ''
  const whole = isDecimal ? `${digits(text.slice(0, last))}.${after.replace(/0+$/, '')}` : digits(text)
  return whole.replace(/\.$/, '')
}
