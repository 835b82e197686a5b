// npm run fonts: makes the display font that the pages load from the package's. Headings need three weights of the
// whole range, and each weight that a variable font can have is bytes of the first load.
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import subsetFont from 'subset-font'

const require = createRequire(new URL('../apps/web/package.json', import.meta.url))
const source = '@fontsource-variable/bricolage-grotesque/files/bricolage-grotesque-latin-wght-normal.woff2'
const target = new URL('../apps/web/src/ui/fonts/bricolage-grotesque-latin-600-700.woff2', import.meta.url)

/** The characters of the package's Latin file, as apps/web/src/ui/fonts.css names them. */
const ranges = [
  ...[
    [0x20, 0x7e],
    [0xa0, 0xff],
    [0x131, 0x131],
    [0x152, 0x153],
    [0x2bb, 0x2bc],
    [0x2c6, 0x2c6],
    [0x2da, 0x2da],
  ],
  ...[
    [0x2dc, 0x2dc],
    [0x304, 0x304],
    [0x308, 0x308],
    [0x329, 0x329],
    [0x2000, 0x206f],
    [0x20ac, 0x20ac],
  ],
  ...[
    [0x2122, 0x2122],
    [0x2191, 0x2191],
    [0x2193, 0x2193],
    [0x2212, 0x2212],
    [0x2215, 0x2215],
  ],
]
const characters = ranges
  .flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, n) => String.fromCodePoint(from + n)))
  .join('')

const font = await subsetFont(readFileSync(require.resolve(source)), characters, {
  targetFormat: 'woff2',
  variationAxes: { wght: { min: 600, max: 700 } },
})
writeFileSync(target, font)
console.log(`${font.length} bytes`)
