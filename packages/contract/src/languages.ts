/** Languages of the interface. fil-PH has some texts only and falls back to en-US for the rest. */
export const languages = ['en-US', 'pt-BR', 'es-ES', 'fil-PH'] as const
export type Language = (typeof languages)[number]

/** Languages in which every text exists; the selector offers these. */
export const fullLanguages = ['en-US', 'pt-BR', 'es-ES'] as const
export type FullLanguage = (typeof fullLanguages)[number]

const byBase: Record<string, Language> = { en: 'en-US', pt: 'pt-BR', es: 'es-ES', fil: 'fil-PH', tl: 'fil-PH' }

/** Exact match, then the base code (pt-PT gives pt-BR), then en-US. */
export function languageOf(tag: string | undefined): Language {
  const exact = languages.find((language) => language.toLowerCase() === tag?.toLowerCase())
  return exact ?? byBase[tag?.split('-')[0]?.toLowerCase() ?? ''] ?? 'en-US'
}

/** As languageOf, but only languages in which every text exists. */
export function fullLanguageOf(tag: string | undefined): FullLanguage {
  const language = languageOf(tag)
  return language === 'fil-PH' ? 'en-US' : language
}
