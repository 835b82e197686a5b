import { errorCatalogue } from '@parley/contract/error-catalogue'
import { languages } from '@parley/contract/languages'
import { describe, expect, it } from 'vitest'
import { type LanguageTexts, preferredLanguage } from './i18n'
import { withTexts } from './interface-language'
import { laterEnglish } from './later-english'
import { english as firstEnglish } from './resources'

const english = withTexts(firstEnglish, laterEnglish) as Texts

type Texts = { [key: string]: string | Texts }

function flatten(texts: Texts, path = ''): [string, string][] {
  return Object.entries(texts).flatMap(([key, value]) =>
    typeof value === 'string' ? [[path + key, value] satisfies [string, string]] : flatten(value, `${path}${key}.`),
  )
}

/** Plural forms differ between languages, so that a key counts once whatever forms it has. */
const base = (key: string): string => key.replace(/_(zero|one|two|few|many|other)$/, '')
const keysOf = (texts: Texts): string[] => [...new Set(flatten(texts).map(([key]) => base(key)))].sort()
const variablesOf = (text: string): string[] => [...new Set(text.match(/\{\{\s*\w+\s*\}\}/g) ?? [])].sort()

const folders = import.meta.glob<LanguageTexts>('./*/texts.ts', { eager: true })

it('has a folder for each language, and none for another', () => {
  const translated = languages.filter((language) => language !== 'en-US').map((language) => `./${language}/texts.ts`)
  expect(Object.keys(folders).sort()).toEqual(translated.sort())
})

describe.each(Object.entries(folders))('%s', (path, { default: texts, errors }) => {
  const [, language = ''] = path.split('/')

  it('has every text of en-US and no other, and every error [CH-007]', () => {
    expect(keysOf(texts)).toEqual(keysOf(english))
    expect(Object.keys(errors).sort()).toEqual(Object.keys(errorCatalogue).sort())
  })

  it('is written in its own language: few texts are those of en-US', () => {
    const inEnglish = new Map(flatten(english))
    // Names, numbers and words that languages share.
    const same = flatten(texts).filter(
      ([key, text]) => inEnglish.get(key) === text && /\p{L}{4}/u.test(text.replace(/\{\{\w+\}\}/g, '')),
    )
    expect(same.length / inEnglish.size, same.map(([key]) => key).join()).toBeLessThan(0.06)
    for (const [code, text] of Object.entries(errors)) expect(text.trim(), code).not.toBe('')
  })

  it('leaves no text empty and uses the same variables', () => {
    const wanted = new Map(flatten(english).map(([key, text]) => [base(key), variablesOf(text)]))
    for (const [key, text] of flatten(texts)) {
      expect(text.trim(), key).not.toBe('')
      // "One message" and "two messages" need no figure where a language has a form for just that number.
      const optional = /_(?:zero|one|two)$/.test(key) ? ['{{count}}', '{{formatted}}'] : []
      const missing = (wanted.get(base(key)) ?? []).filter(
        (name) => !variablesOf(text).includes(name) && !optional.includes(name),
      )
      expect(
        { missing, unknown: variablesOf(text).filter((name) => !wanted.get(base(key))?.includes(name)) },
        key,
      ).toEqual({ missing: [], unknown: [] })
    }
  })

  it('has each plural form that the language needs', () => {
    const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories
    const keys = new Set(flatten(texts).map(([key]) => key))
    const plurals = [...keys].filter((key) => key.endsWith('_other')).map(base)
    for (const key of plurals) for (const form of forms) expect(keys, `${key}_${form}`).toContain(`${key}_${form}`)
  })
})

it('falls from pt-PT to pt-BR, from an unknown language to the next one, and at last to en-US [CH-008, CH-009]', () => {
  expect(preferredLanguage(null, ['pt-PT'])).toBe('pt-BR')
  expect(preferredLanguage(null, ['es-MX', 'en'])).toBe('es-ES')
  expect(preferredLanguage(null, ['de-DE', 'pt'])).toBe('pt-BR')
  expect(preferredLanguage(null, ['de-DE'])).toBe('en-US')
  expect(preferredLanguage('es', ['pt-BR'])).toBe('es-ES')
  expect(preferredLanguage(null, ['fil'])).toBe('fil-PH')
})

it('shows a preview only to whoever asked for it [CH-009]', () => {
  expect(preferredLanguage(null, ['ar', 'ar-EG', 'pt'])).toBe('pt-BR')
  expect(preferredLanguage(null, ['ar'])).toBe('en-US')
  expect(preferredLanguage('ar', ['pt'])).toBe('ar')
})

it('comes with its English wherever a file says what is not in the first load', () => {
  // The manifests are made by the build, from the files themselves.
  const files = import.meta.glob<string>(['../**/*.{ts,tsx}', '!../**/*.test.*', '!../data/**', '!./manifests.ts'], {
    query: '?raw',
    import: 'default',
    eager: true,
  })
  const later = Object.entries(laterEnglish).flatMap(([subject, texts]) =>
    subject in firstEnglish
      ? [...new Set(Object.keys(texts).map(base))].map((name) => `${subject}\\.${name}['\`]`)
      : [`${subject}\\.`],
  )
  const says = new RegExp(`\\bt\\([^)]*?['\`](?:${later.join('|')})`)
  const saying = Object.entries(files).filter(([, source]) => says.test(source))
  expect(saying.length).toBeGreaterThan(20)
  expect(saying.filter(([, source]) => !source.includes("/i18n/later-texts'")).map(([name]) => name)).toEqual([])
})
