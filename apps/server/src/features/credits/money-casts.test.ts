import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

it('lets nothing be cast into money or out of it outside contract/money.ts, so that the compiler keeps all arithmetic on it there', () => {
  const root = fileURLToPath(new URL('../../../../..', import.meta.url))
  // Into no folder that other programs change meanwhile.
  const filesIn = (folder: string): string[] =>
    readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
      const path = `${folder}/${entry.name}`
      if (entry.isDirectory()) return /^(node_modules|dist|\..+)$/.test(entry.name) ? [] : filesIn(path)
      return /\.tsx?$/.test(path) && !/\/money(-casts)?(\.test)?\.ts$/.test(path) ? [path] : []
    })
  const files = ['packages', 'apps', 'e2e'].flatMap((folder) => filesIn(`${root}/${folder}`))
  expect(files.length).toBeGreaterThan(200)
  // A cast names the type. Columns are declared with `$type<Nano>()`, which is no cast of a value.
  const casts = /\bas (unknown as )?(Nano|Cost|Price|Markup)\b|(?<!\$type)<(Nano|Cost|Markup)>\s*\(/
  expect(files.filter((file) => casts.test(readFileSync(file, 'utf8')))).toEqual([])
})
