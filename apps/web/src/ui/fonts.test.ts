import { readFileSync } from 'node:fs'
import { isPreview, languages } from '@parley/contract/languages'
import { expect, it } from 'vitest'
import { drawn, parsed } from '../testing/site-pages'

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8')

/** The characters of each file of a sheet, by its name. */
function facesOf(sheet: string): Map<string, (code: number) => boolean> {
  const faces = [...sheet.matchAll(/url\('.*\/([\w-]+)\.woff2'\)[^;]*;\s*unicode-range:([^;]+);/g)]
  return new Map(
    faces.map(([, name = '', range = '']) => {
      const runs = range.split(',').map((run) => {
        const [from = 0, to = from] = run
          .trim()
          .slice(2)
          .split('-')
          .map((code) => Number.parseInt(code, 16))
        return [from, to] as const
      })
      return [name, (code) => runs.some(([from, to]) => from <= code && code <= to)]
    }),
  )
}
const faces = facesOf(read('./fonts.css'))
const families = [
  ['bricolage-grotesque-core-600-700', 'bricolage-grotesque-latin-600-700'],
  ['instrument-sans-core', 'instrument-sans-latin'],
] as const

const others = (text: string): string[] => [
  ...new Set(
    [...text].filter((character) => families.some(([core]) => !faces.get(core)?.(character.codePointAt(0) ?? 0))),
  ),
]

it.each(languages.filter((language) => !isPreview(language)))(
  'what the first load brings has every character of the interface in %s',
  (language) => {
    const texts = import.meta.glob<Record<string, unknown>>('../i18n/*/*.json', { eager: true, import: 'default' })
    const own = Object.entries(texts).filter(([path]) => path.includes(`/${language}/`))
    expect(own.length).toBeGreaterThan(0)
    expect(others(JSON.stringify(own.map(([, text]) => text)))).toEqual([])
  },
)

it('what the public pages bring has every character of them', () => {
  for (const [name, html] of drawn) expect([name, others(parsed(html).body.textContent)]).toEqual([name, []])
  const brought = facesOf(read('../site/site-fonts.css'))
  expect([...brought.keys()]).toEqual(families.map(([core]) => core))
  for (const [name, has] of brought)
    for (let code = 0; code < 0x3000; code++)
      expect([name, code, has(code)]).toEqual([name, code, faces.get(name)?.(code)])
})

it('every character of western Europe is in one file of its family', () => {
  for (const family of families)
    for (const [from, to] of [
      [0x20, 0x7e],
      [0xa0, 0xff],
      [0x2000, 0x206f],
    ] as const)
      for (let code = from; code <= to; code++)
        expect([family, code, family.filter((name) => faces.get(name)?.(code)).length]).toEqual([family, code, 1])
})
