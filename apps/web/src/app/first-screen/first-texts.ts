import { directionOf, isPreview, type Language, languages } from '@parley/contract/languages'
import type { TextKey } from '../../i18n/resources'

const names = [
  'chat.homeTitle',
  'chat.localPromise',
  'chat.message',
  'chat.placeholder',
  'chat.suggestContract',
  'chat.suggestContractHint',
  'chat.suggestError',
  'chat.suggestErrorHint',
  'chat.suggestQuiz',
  'chat.suggestQuizHint',
  'chat.suggestTrip',
  'chat.suggestTripHint',
  'shell.agents',
  'shell.newChat',
] as const satisfies TextKey[]

/** A text of the first screen. */
export type FirstText = (typeof names)[number]

type Texts = Record<FirstText, string>
/** `isAsked`: only for who chose it, as `preferredLanguage` says. */
type FirstLanguage = { direction: 'ltr' | 'rtl'; isAsked: boolean; texts: Texts }

const files = import.meta.glob<Record<string, unknown>>('../../i18n/*/{chat,shell}.json', {
  eager: true,
  import: 'default',
})

/** The texts of the first screen, for `public/first-screen.js` to choose from. */
export function firstTexts(): Record<Language, FirstLanguage> {
  return Object.fromEntries(
    languages.map((language) => [
      language,
      { direction: directionOf(language), isAsked: isPreview(language), texts: textsIn(language) },
    ]),
  ) as Record<Language, FirstLanguage>
}

function textsIn(language: Language): Texts {
  return Object.fromEntries(
    names.map((name) => {
      const [subject, key = ''] = name.split('.')
      const text = files[`../../i18n/${language}/${subject}.json`]?.[key]
      if (typeof text !== 'string') throw new Error(`${language} has no text ${name}`)
      return [name, text]
    }),
  ) as Texts
}
