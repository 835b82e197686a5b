import { createLexicalIndex } from '@parley/reader/lexical-index'
import { nodePdf } from '@parley/reader/node-pdf'
import { passagesOf } from '@parley/reader/passages'
import { readFile } from '@parley/reader/read-file'
import { pdfOf, prose } from '@parley/reader/testing/pdf-bytes'
import { seeded } from '@parley/reader/testing/seeded'
import { fillerParagraph, valuesOf } from './texts'

const pages = 300
const rounds = 5

export function longPdf(count: number): Uint8Array {
  const random = seeded(7)
  const values = valuesOf(1, 'en', random)
  return pdfOf(
    Array.from({ length: count }, (_, n) => {
      const text = Array.from({ length: 9 }, () => fillerParagraph('en', values, random)).join(' ')
      const lines = text.match(/.{1,85}(?:\s|$)/g)?.slice(0, 44) ?? []
      return prose([`Section ${n}`, ...lines.map((line) => line.trim())], 80, 11)
    }),
  )
}

/** Reading with structure beside what pdf.js alone takes for the text of all pages: CPU time, medians of turns. */
export async function measureReading(): Promise<{ reader: number; bare: number }> {
  const bytes = longPdf(pages)
  const pdf = nodePdf()
  const times = { reader: [] as number[], bare: [] as number[] }
  for (let round = 0; round <= rounds; round++) {
    const bareStart = cpuMs()
    await bareText(bytes)
    const readerStart = cpuMs()
    await readFile({ name: 'a.pdf', bytes }, { pdf })
    // The first turn warms up.
    if (round > 0) {
      times.bare.push(readerStart - bareStart)
      times.reader.push(cpuMs() - readerStart)
    }
  }
  return { reader: median(times.reader), bare: median(times.bare) }
}

/** Of this process: what else the machine does is left out. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

async function bareText(bytes: Uint8Array): Promise<void> {
  const { cMapUrl, standardFontDataUrl, load } = nodePdf()
  const { getDocument } = await load()
  const files = { ...(cMapUrl && { cMapUrl }), ...(standardFontDataUrl && { standardFontDataUrl }) }
  const document = await getDocument({ data: bytes.slice(), verbosity: 0, disableFontFace: true, ...files }).promise
  for (let number = 1; number <= document.numPages; number++) {
    const page = await document.getPage(number)
    await page.getTextContent()
    page.cleanup()
  }
  await document.loadingTask.destroy()
}

/** Times of searches over so many pages of 3,000 characters, in milliseconds, and what the index takes. */
export function measureSearch(count: number, questions: readonly string[]) {
  const random = seeded(11)
  const values = valuesOf(2, 'pt', random)
  const blocks = Array.from({ length: count }, (_, n) => {
    const text = Array.from({ length: 8 }, () => fillerParagraph('pt', values, random)).join(' ')
    return { kind: 'paragraph' as const, text: `${n} ${text} ${rareWord(random)} ${rareWord(random)}`, page: n + 1 }
  })
  const passages = passagesOf({ blocks })
  const start = performance.now()
  const index = createLexicalIndex(passages)
  const built = performance.now() - start
  for (const question of questions.slice(0, 20)) index.search(question, { limit: 20 })
  const times = questions.map((question) => {
    const begun = performance.now()
    index.search(question, { limit: 20 })
    return performance.now() - begun
  })
  return { passages: passages.length, built, p95: quantile(times, 0.95), jsonBytes: JSON.stringify(index).length }
}

/** Real texts have many words that stand in them once. */
const rareWord = (random: (below: number) => number): string =>
  Array.from({ length: 4 }, () => 'bcdfglmnprst'.charAt(random(12)) + 'aeiou'.charAt(random(5))).join('')

const quantile = (times: readonly number[], share: number): number =>
  [...times].sort((one, other) => one - other)[Math.floor(times.length * share)] ?? 0
const median = (times: readonly number[]): number => quantile(times, 0.5)
