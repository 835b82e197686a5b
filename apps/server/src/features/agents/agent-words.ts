// The search index of agents. It ignores accents and case in all three languages; a term matches words that begin with
// it.
import type { AgentLanguage } from '@parley/contract/agents'
import { foldedMessage, searchWords } from '@parley/contract/search-text'

/** Longer words are truncated. */
const maxWordCodePoints = 60
/** Shorter terms are not corrected. */
const minCorrectedCodePoints = 4

type IndexedTexts = { name: string; texts: readonly { language: AgentLanguage; role: string; about: string }[] }

/**
 * Who finds an agent: everybody in one of the lists, or its owner; `walletOf` is its owner among agents of wallets. Its
 * index mark begins with a character that no search term has.
 */
export type Finder = { list: 'community' | 'product' | 'sui' } | { ownerId: string } | { walletOf: string }

const truncate = (word: string): string => Array.from(word).slice(0, maxWordCodePoints).join('')

function finderMark(finder: Finder): string {
  if ('list' in finder) return `@${finder.list}`
  return 'ownerId' in finder ? `@${finder.ownerId}` : `@sui-${finder.walletOf}`
}
const languageMark = (language: AgentLanguage): string => `#${language}`

/** The words of a text in their order, without accents and in lower case. */
export const wordsIn = (text: string): string[] => foldedMessage(text, '').split(' ').filter(Boolean).map(truncate)

/** Each word once. */
export function plainWords({ name, texts }: IndexedTexts): string[] {
  return [...new Set(wordsIn([name, ...texts.flatMap(({ role, about }) => [role, about])].join(' ')))].sort()
}

/** All lexemes of the index: the words, those of the name a second time, and the marks of finders and languages. */
export function indexEntries(agent: IndexedTexts, finders: readonly Finder[]): string[] {
  const ofName = wordsIn(agent.name).map((word) => `=${word}`)
  return [
    ...new Set([
      ...plainWords(agent),
      ...ofName,
      ...finders.map(finderMark),
      ...agent.texts.map(({ language }) => languageMark(language)),
    ]),
  ]
}

/** The search terms, folded as in the index; empty where the input contains no word. */
export const searchTerms = (input: string): string[] => searchWords(input).terms.map(truncate)

/** The terms that are long enough to be corrected. */
export const mistypableTerms = (terms: readonly string[]): string[] =>
  terms.filter((term) => Array.from(term).length >= minCorrectedCodePoints)

/** tsqueries: `all` matches; `inName` those of them whose name matches all terms, `others` the rest. */
export type AgentQuery = { all: string; inName: string; others: string }

/** Matches agents that one of the finders sees and that contain every term, or a word similar to it. */
export function agentQuery(
  terms: readonly string[],
  {
    finders,
    lang,
    similar,
  }: {
    finders: readonly Finder[]
    lang?: AgentLanguage | undefined
    similar?: ReadonlyMap<string, readonly string[]> | undefined
  },
): AgentQuery {
  const marks = [
    `(${finders.map((finder) => quoted(finderMark(finder))).join(' | ')})`,
    ...(lang ? [quoted(languageMark(lang))] : []),
  ]
  const termQuery = (prefix: string) => (term: string) =>
    `(${[`${quoted(prefix + term)}:*`, ...(similar?.get(term) ?? []).map((word) => quoted(prefix + word))].join(' | ')})`
  const all = [...marks, ...terms.map(termQuery(''))].join(' & ')
  const name = terms.map(termQuery('=')).join(' & ')
  return { all, inName: [...marks, name].join(' & '), others: `${all} & !(${name})` }
}

const quoted = (word: string): string => `'${word.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
