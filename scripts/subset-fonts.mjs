// npm run fonts: makes from the packages' fonts those that apps/web/src/ui/fonts.css names as files of its own. What
// the interface's own words are written in is a file by itself (`core`): the first load needs no other character.
// Headings need few weights, and each weight that a variable font can have is bytes.
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import subsetFont from 'subset-font'

const require = createRequire(new URL('../apps/web/package.json', import.meta.url))
const sheet = new URL('../apps/web/src/ui/fonts.css', import.meta.url)

/** By the value of `unicode-range`. */
function charactersOf(range) {
  return range
    .split(',')
    .flatMap((run) => {
      const [from = 0, to = from] = run
        .trim()
        .replace(/^U\+/i, '')
        .split('-')
        .map((code) => Number.parseInt(code, 16))
      return Array.from({ length: to - from + 1 }, (_, n) => String.fromCodePoint(from + n))
    })
    .join('')
}

for (const [, face = ''] of readFileSync(sheet, 'utf8').matchAll(/@font-face\s*\{([^}]*)\}/g)) {
  const [, path] = /url\('(\.\/fonts\/[^']+)'\)/.exec(face) ?? []
  if (path === undefined) continue
  const [, family = ''] = /font-family: '([\w ]+) Variable'/.exec(face) ?? []
  const [, min = '', max = ''] = /font-weight: (\d+) (\d+)/.exec(face) ?? []
  const [, range = ''] = /unicode-range:([^;]*);/.exec(face) ?? []
  const name = family.toLowerCase().replaceAll(' ', '-')
  const source = require.resolve(`@fontsource-variable/${name}/files/${name}-latin-wght-normal.woff2`)
  const font = await subsetFont(readFileSync(source), charactersOf(range), {
    targetFormat: 'woff2',
    variationAxes: { wght: { min: Number(min), max: Number(max) } },
  })
  writeFileSync(new URL(path, sheet), font)
  console.log(`${path}: ${font.length} bytes`)
}
