import { type ErrorTexts, registerErrorTexts } from '@parley/contract/errors'
import { directionOf, isPreview, type Language, languageOf, namedLanguage } from '@parley/contract/languages'
import { addTexts, changeLanguage, hasTexts } from './interface-language'
import { english, type Texts } from './resources'

/**
 * What the folder of a language holds: one lazily loaded chunk. English is in the first load, as the fallback of all.
 */
export type LanguageTexts = { default: Texts; errors: ErrorTexts }
const loaders = import.meta.glob<LanguageTexts>('./*/texts.ts')

const key = 'language'
const mirrorKey = 'configsGeneralReducer'

function storedLanguage(): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    // Storage is denied: the browser's languages decide.
    return null
  }
}

/**
 * The stored choice, else the first of the browser's languages that has texts, else English. A preview is no such text.
 */
export function preferredLanguage(stored: string | null, wanted: readonly string[]): Language {
  if (stored) return languageOf(stored)
  const known = wanted.find((tag) => {
    const language = languageOf(tag)
    return language === 'en-US' ? /^en\b/i.test(tag) : !isPreview(language)
  })
  return languageOf(known)
}

/**
 * Takes `?lang=` out of the address: it is a choice like that in the settings, and would undo the next one at every
 * reload.
 */
function askedLanguage(): Language | undefined {
  const url = new URL(location.href)
  const asked = namedLanguage(url.searchParams.get('lang'))
  if (!asked) return undefined
  url.searchParams.delete('lang')
  history.replaceState(history.state, '', url)
  return asked
}

export async function startI18n(): Promise<void> {
  const asked = askedLanguage()
  if (asked) remember(asked)
  const language = asked ?? preferredLanguage(storedLanguage(), navigator.languages)
  addTexts('en-US', english)
  await show(language)
}

/**
 * Switches the interface and remembers the choice: under both names that the specification gives it, and for the pages
 * that the server draws.
 */
export async function setLanguage(tag: string): Promise<void> {
  const language = languageOf(tag)
  await show(language)
  remember(language)
}

function remember(language: Language): void {
  // biome-ignore lint/suspicious/noDocumentCookie: not every browser has the cookie store.
  document.cookie = `language=${language}; path=/; max-age=31536000; samesite=lax`
  try {
    localStorage.setItem(key, language)
    localStorage.setItem(mirrorKey, JSON.stringify({ ...storedConfigs(), language }))
  } catch {
    // The choice lasts as long as the page.
  }
}

function storedConfigs(): object {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(mirrorKey) ?? '{}')
    return typeof stored === 'object' && stored !== null ? stored : {}
  } catch {
    // Not ours, or broken: it is written anew.
    return {}
  }
}

async function show(language: Language): Promise<void> {
  const load = loaders[`./${language}/texts.ts`]
  if (load && !hasTexts(language)) {
    const texts = await load().catch(() => undefined)
    // Offline and never loaded before: English is better than nothing.
    if (texts) {
      addTexts(language, texts.default)
      registerErrorTexts(language, texts.errors)
    }
  }
  changeLanguage(language)
  document.documentElement.lang = language
  document
    .querySelector('link[rel=manifest]')
    ?.setAttribute('href', `/manifest${language === 'en-US' ? '' : `.${language}`}.webmanifest`)
  document.documentElement.dir = directionOf(language)
}
