import type { DocumentBlock } from '@parley/contract/read-document'
import { bandsOf } from './columns'
import type { Line, PageLines } from './page-lines'
import { paragraphsOf, type Shape } from './paragraphs'
import { withoutRunningLines } from './running-lines'
import { type Run, runsOf } from './tables'

/** The blocks of a document, from where the words stand: columns, tables, headings by the size of their letters. */
export function blocksOfPages(pages: readonly PageLines[]): DocumentBlock[] {
  const shape = shapeOf(pages)
  const kept = withoutRunningLines(pages)
  return kept.flatMap((page) => {
    const read: DocumentBlock[] = page.recognised.map(({ text, lines }) => ({
      ...{ kind: 'paragraph', text, page: page.number, lines },
    }))
    for (const band of bandsOf(page)) for (const run of runsOf(band)) read.push(...blocksOf(run, page, shape))
    return read
  })
}

function blocksOf(run: Run, page: PageLines, shape: Shape): DocumentBlock[] {
  if (run.kind === 'lines') return paragraphsOf(run.lines, page, shape)
  return [{ kind: 'table', rows: run.rows, hasHeader: run.hasHeader, page: page.number }]
}

const maxHeadingLength = 160
/** So much larger than the text's the letters of a heading are. */
const headingGrowth = 1.12

/** The size of most of the text, and those of headings, largest first. */
function shapeOf(pages: readonly PageLines[]): Shape {
  const lengths = new Map<number, number>()
  for (const { lines } of pages)
    for (const line of lines) {
      const size = rounded(line.size)
      lengths.set(size, (lengths.get(size) ?? 0) + textLength(line))
    }
  const [body = 10] = [...lengths].reduce((most, each) => (each[1] > most[1] ? each : most), [10, 0])
  const larger = new Set<number>()
  for (const { lines } of pages)
    for (const line of lines)
      if (line.size > body * headingGrowth && textLength(line) <= maxHeadingLength) larger.add(rounded(line.size))
  const sizes = [...larger].sort((one, other) => other - one)
  return { body, headings: mergedSizes(sizes) }
}

/** Sizes that are nearly the same are one level; after six all are of the last. */
function mergedSizes(sizes: readonly number[]): number[] {
  const merged: number[] = []
  for (const size of sizes) if (merged.length === 0 || size < (merged.at(-1) ?? 0) * 0.95) merged.push(size)
  return merged.slice(0, 6)
}

const rounded = (size: number): number => Math.round(size * 2) / 2
const textLength = ({ segments }: Line): number => segments.reduce((sum, { text }) => sum + text.length, 0)
