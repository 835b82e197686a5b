// @vitest-environment node
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { breakpoints } from './breakpoints'

const root = fileURLToPath(new URL('..', import.meta.url))
const sheets = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.css'))

it('the layout changes at the widths of the specification and at no other [CH-032, ST-239]', () => {
  const { publish, drawer, ...layout } = breakpoints
  expect(Object.values(layout)).toEqual([575.95, 767.95, 991.95, 1199.95, 1399.95, 1549.95])
  const used = sheets.flatMap((file) =>
    [...readFileSync(`${root}/${file}`, 'utf8').matchAll(/@media[^{]*width[^{]*/g)].map(([query]) => ({
      file,
      width: Number(/[\d.]+(?=px)/.exec(query)?.[0]),
    })),
  )
  expect(used.length).toBeGreaterThan(0)
  const known = new Set<number>(Object.values(breakpoints))
  expect(used.filter(({ width }) => !known.has(width))).toEqual([])
  expect([publish, drawer]).toEqual([460.92, 991.92])
})
