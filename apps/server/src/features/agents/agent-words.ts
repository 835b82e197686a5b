// Agents as the index of words has them. Accents and capitals count for nothing, in all three languages; a word is found by its beginning.
import type { AgentLanguage } from '@parley/contract/agents'
import { foldedMessage, searchWords } from '@parley/contract/search-text'

/** In code points; whatever has longer ones is not looked for by them. */
const maxWord = 60
/** Shorter words are meant as they are typed. */
const leastMistyped = 4

type Described = { name: string; texts: readonly { language: AgentLanguage; role: string; about: string }[] }

/** Who finds an agent: everybody in one of the lists, its owner; `walletOf`: its owner among agents of wallets. Never the beginning of a word that somebody types. */
export type Finder = { list: 'community' | 'product' | 'sui' } | { ownerId: string } | { walletOf: string }

const cut = (word: string): string => Array.from(word).slice(0, maxWord).join('')

function finderMark(finder: Finder): string {
  if ('list' in finder) return `@${finder.list}`
  return 'ownerId' in finder ? `@${finder.ownerId}` : `@sui-${finder.walletOf}`
}
const languageMark = (language: AgentLanguage): string => `#${language}`

/** The words of a text in its order, without accents and capitals. */
export const wordsIn = (text: string): string[] => foldedMessage(text, '').split(' ').filter(Boolean).map(cut)

/** Each word once. */
export function plainWords({ name, texts }: Described): string[] {
  return [...new Set(wordsIn([name, ...texts.flatMap(({ role, about }) => [role, about])].join(' ')))].sort()
}

/** All entries of the index: words, those of the name once more, and the marks of its finders and languages. */
export function indexEntries(agent: Described, finders: readonly Finder[]): string[] {
  const ofName = wordsIn(agent.name).map((word) => `=${word}`)
  return [...new Set([...plainWords(agent), ...ofName, ...finders.map(finderMark), ...agent.texts.map(({ language }) => languageMark(language))])]
}

/** What is looked for: terms as the index has them, each the beginning of a word. Empty where nothing of it is a word. */
export const searchTerms = (typed: string): string[] => searchWords(typed).terms.map(cut)

/** Terms that may be mistyped. */
export const mistypable = (terms: readonly string[]): string[] => terms.filter((term) => Array.from(term).length >= leastMistyped)

/** `all` that match; of them, those whose name alone does, and the others. */
export type AgentQuery = { all: string; named: string; others: string }

/** The index's own queries: every term, or one of the words that were meant by it, of what one of the finders may see. */
export function agentQuery(
  terms: readonly string[],
  { finders, lang, meant }: { finders: readonly Finder[]; lang?: AgentLanguage | undefined; meant?: ReadonlyMap<string, readonly string[]> | undefined },
): AgentQuery {
  const marks = [`(${finders.map((finder) => quoted(finderMark(finder))).join(' | ')})`, ...(lang ? [quoted(languageMark(lang))] : [])]
  const one = (prefix: string) => (term: string) =>
    `(${[`${quoted(prefix + term)}:*`, ...(meant?.get(term) ?? []).map((word) => quoted(prefix + word))].join(' | ')})`
  const all = [...marks, ...terms.map(one(''))].join(' & ')
  const inName = terms.map(one('=')).join(' & ')
  return { all, named: [...marks, inName].join(' & '), others: `${all} & !(${inName})` }
}

const quoted = (word: string): string => `'${word.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
