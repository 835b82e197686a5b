import { type ErrorTexts, registerErrorTexts } from '@parley/contract/errors'
import { fullLanguageOf, type Language, languageOf } from '@parley/contract/languages'
import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'
import { english } from './resources'

/** Each file is a subject of a language; one language is one lazily loaded chunk. English is in the first load, as the fallback of all. */
const loaders: Partial<Record<Language, () => Promise<{ default: Record<string, object>; errors?: ErrorTexts }>>> = {
  'pt-BR': () => import('./pt-BR/texts'),
  'es-ES': () => import('./es-ES/texts'),
  'fil-PH': () => import('./fil-PH/texts'),
}

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

/** The stored choice, else the first of the browser's languages that has texts, else English. */
export function preferredLanguage(stored: string | null, wanted: readonly string[]): Language {
  if (stored) return languageOf(stored)
  const known = wanted.find((tag) => /^en\b/i.test(tag) || languageOf(tag) !== 'en-US')
  return languageOf(known)
}

export async function startI18n(): Promise<void> {
  const language = preferredLanguage(storedLanguage(), navigator.languages)
  await i18next.use(initReactI18next).init({
    lng: 'en-US',
    fallbackLng: 'en-US',
    resources: { 'en-US': { translation: english } },
    interpolation: { escapeValue: false },
    returnNull: false,
    react: { useSuspense: false },
  })
  await show(language)
}

/** Switches the interface and remembers the choice: under both names that the specification gives it, and for the pages that the server draws. */
export async function setLanguage(tag: string): Promise<void> {
  const language = languageOf(tag)
  await show(language)
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
  const load = loaders[language]
  if (load && !i18next.hasResourceBundle(language, 'translation')) {
    const texts = await load().catch(() => undefined)
    // Offline and never loaded before: English is better than nothing.
    if (texts) i18next.addResourceBundle(language, 'translation', texts.default)
    if (texts?.errors) registerErrorTexts(fullLanguageOf(language), texts.errors)
  }
  await i18next.changeLanguage(language)
  document.documentElement.lang = language
}
