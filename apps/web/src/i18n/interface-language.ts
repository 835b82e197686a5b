import { useSyncExternalStore } from 'react'
import type { TextKey } from './resources'
import { type TextTree, type TextValues, translate } from './translate'

// The language that the page is in. A library of its own would be 15 kB of the first load, a tenth of it, for what the
// two functions here do (bench/load).

/** The text of a key in the page's language, else in English. */
export type Translate = (key: TextKey, values?: TextValues) => string

const fallback = 'en-US'
const texts = new Map<string, TextTree>()
const listeners = new Set<() => void>()
/** Another object for each language, so that whatever shows its texts is rendered again. */
let current = interfaceIn(fallback)

/** Its `t` keeps to this language, also in a flow that outlives a change of it. */
function interfaceIn(language: string): { t: Translate; language: string } {
  const order = language === fallback ? [fallback] : [language, fallback]
  const t: Translate = (key, values) =>
    translate(
      order.map((each) => ({ language: each, texts: texts.get(each) ?? {} })),
      key,
      values,
    )
  return { t, language }
}

/** Adds to the subjects of a language. What is on the screen is not rendered again. */
export function addTexts(language: string, added: TextTree): void {
  texts.set(language, withTexts(texts.get(language) ?? {}, added))
}

/** Two trees of texts as one. */
export function withTexts(all: TextTree, added: TextTree): TextTree {
  const merged = { ...all }
  for (const [name, value] of Object.entries(added)) {
    const before = merged[name]
    merged[name] = typeof value === 'object' && typeof before === 'object' ? withTexts(before, value) : value
  }
  return merged
}

export const hasTexts = (language: string): boolean => texts.has(language)

export function changeLanguage(language: string): void {
  if (current.language === language) return
  current = interfaceIn(language)
  for (const listener of listeners) listener()
}

/** For code outside of components: the language is that of the page when it is called. */
export const t: Translate = (key, values) => current.t(key, values)

export const interfaceLanguage = (): string => current.language

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
const currentInterface = () => current

/** The page's language and its texts, for a component: it is rendered again when the language changes. */
export const useTranslation = (): { t: Translate; language: string } =>
  useSyncExternalStore(subscribe, currentInterface, currentInterface)
