import { describe, expect, it } from 'vitest'
import spanish from './es-ES/texts'
import filipino from './fil-PH/texts'
import { preferredLanguage } from './i18n'
import { laterEnglish } from './later-english'
import portuguese from './pt-BR/texts'
import { english as firstEnglish } from './resources'

const english = { ...firstEnglish, ...laterEnglish }

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

describe.each([
  ['pt-BR', portuguese],
  ['es-ES', spanish],
])('%s', (language, texts) => {
  it('has every text of en-US and no other [CH-007]', () => {
    expect(keysOf(texts)).toEqual(keysOf(english))
  })

  it('leaves no text empty and uses the same variables', () => {
    const wanted = new Map(flatten(english).map(([key, text]) => [base(key), variablesOf(text)]))
    for (const [key, text] of flatten(texts)) {
      expect(text.trim(), key).not.toBe('')
      expect(variablesOf(text), key).toEqual(wanted.get(base(key)))
    }
  })

  it('has each plural form that the language needs', () => {
    const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories
    const keys = new Set(flatten(texts).map(([key]) => key))
    const plurals = [...keys].filter((key) => key.endsWith('_other')).map(base)
    for (const key of plurals) for (const form of forms) expect(keys, `${key}_${form}`).toContain(`${key}_${form}`)
  })
})

it('fil-PH has some texts only, all of them known [CH-007]', () => {
  expect(keysOf(english)).toEqual(expect.arrayContaining(keysOf(filipino)))
})

it('falls from pt-PT to pt-BR, from an unknown language to the next one, and at last to en-US [CH-008, CH-009]', () => {
  expect(preferredLanguage(null, ['pt-PT'])).toBe('pt-BR')
  expect(preferredLanguage(null, ['es-MX', 'en'])).toBe('es-ES')
  expect(preferredLanguage(null, ['de-DE', 'pt'])).toBe('pt-BR')
  expect(preferredLanguage(null, ['de-DE'])).toBe('en-US')
  expect(preferredLanguage('es', ['pt-BR'])).toBe('es-ES')
})

it('comes with its English wherever a file says what is not in the first load', () => {
  const files = import.meta.glob<string>(['../**/*.{ts,tsx}', '!../**/*.test.*', '!../data/**'], { query: '?raw', import: 'default', eager: true })
  const says = new RegExp(`\\bt\\([^)]*?['\`](?:${Object.keys(laterEnglish).join('|')})\\.`)
  const saying = Object.entries(files).filter(([, source]) => says.test(source))
  expect(saying.length).toBeGreaterThan(20)
  expect(saying.filter(([, source]) => !source.includes("/i18n/later-texts'")).map(([name]) => name)).toEqual([])
})
