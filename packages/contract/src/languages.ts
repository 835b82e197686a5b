/**
 * Languages of the interface, each with the base codes that lead to it. A language is one line here and one folder in
 * apps/web/src/i18n. A preview is met by nobody who does not ask for it by its name (`?lang=`): its texts wait for a
 * reader who was born to it.
 */
const known = {
  'en-US': { bases: ['en'] },
  'pt-BR': { bases: ['pt'] },
  'es-ES': { bases: ['es'] },
  'fil-PH': { bases: ['fil', 'tl'] },
  ar: { bases: [], direction: 'rtl' },
} satisfies Record<string, { bases: string[]; direction?: 'rtl' }>

export type Language = keyof typeof known

/**
 * The languages of the selector, in which everything exists: the app, the public pages and the mails. Accounts are kept
 * in one of these.
 */
export const fullLanguages = ['en-US', 'pt-BR', 'es-ES'] as const
export type FullLanguage = (typeof fullLanguages)[number]

export const languages = Object.keys(known).filter((tag): tag is Language => Object.hasOwn(known, tag))

/** The language of exactly this tag. */
export const namedLanguage = (tag: string | null | undefined): Language | undefined =>
  languages.find((language) => language.toLowerCase() === tag?.toLowerCase())

/** Exact match, then the base code (pt-PT gives pt-BR), then en-US. */
export function languageOf(tag: string | undefined): Language {
  const base = tag?.split('-')[0]?.toLowerCase() ?? ''
  return (
    namedLanguage(tag) ?? languages.find((language) => known[language].bases.some((code) => code === base)) ?? 'en-US'
  )
}

/** As languageOf, but only languages of the selector. */
export function fullLanguageOf(tag: string | undefined): FullLanguage {
  const language = languageOf(tag)
  return fullLanguages.find((full) => full === language) ?? 'en-US'
}

/** Whether a browser that prefers this language gets it without asking. */
export const isPreview = (language: Language): boolean => known[language].bases.length === 0

export function directionOf(language: Language): 'ltr' | 'rtl' {
  return 'direction' in known[language] ? 'rtl' : 'ltr'
}
