import type { FullLanguage } from '@parley/contract/languages'
import english from './texts/en-US.json'
import spanish from './texts/es-ES.json'
import portuguese from './texts/pt-BR.json'

export type SiteTexts = typeof english

/** English decides which texts exist: a language that lacks one is a type error. */
export const siteTexts: Record<FullLanguage, SiteTexts> = {
  'en-US': english,
  'pt-BR': portuguese,
  'es-ES': spanish,
}
