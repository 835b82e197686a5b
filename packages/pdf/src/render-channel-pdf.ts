import { limits } from '@parley/contract/limits/shared'
import pdfmake from 'pdfmake'
import type { FontSlice } from './font-slices'
import { type Content, markdownContent } from './markdown-content'
import { type DrawFormula, loadMath } from './math-svg'
import { colours, sizes } from './pdf-style'
import { TextRuns } from './text-runs'

/** Gives the bytes of a font file, named as in the font packages: `noto-sans/files/noto-sans-latin-400-normal.woff`. */
export type FontSource = (file: string) => Promise<Uint8Array>

export type PdfExchange = {
  question: string
  answer: string
  askedAt: string
  agentName: string
  model?: string | undefined /** Who asked, where several people do. */
  authorName?: string | undefined
}

export type PdfChannel = {
  title: string
  exportedAt: string
  /** BCP 47, for dates. */
  language: string
  exchanges: PdfExchange[]
  labels: { exported: string; cut: string }
}

const pointsPerMm = 72 / 25.4

/** A channel as a PDF with real text: A4 portrait, 10 mm margins. The same in the browser and on the server. */
export async function renderChannelPdf(channel: PdfChannel, fontSource: FontSource): Promise<Uint8Array> {
  const runs = new TextRuns()
  const hasMath = channel.exchanges.some(({ answer }) => /\$\$|\\\[/.test(answer))
  const drawFormula = hasMath ? await loadMath().catch(() => undefined) : undefined
  const content = [
    ...heading(channel, runs),
    ...channel.exchanges.flatMap((exchange) => exchangeContent(exchange, channel, runs, drawFormula)),
  ]
  const footerFont = runs.of('0')[0]?.font
  await loadFonts([...runs.used.values()], fontSource)

  const margin = limits.pdf.marginMm * pointsPerMm
  const definition = {
    pageSize: 'A4',
    pageOrientation: 'portrait',
    pageMargins: [margin, margin, margin, margin],
    defaultStyle: { font: footerFont, fontSize: sizes.body, lineHeight: 1.35, color: colours.ink },
    info: { title: channel.title },
    content,
    footer: (page: number, pages: number) => ({
      text: `${page} / ${pages}`,
      alignment: 'right',
      fontSize: 7.5,
      color: colours.faint,
      margin: [margin, 8, margin, 0],
    }),
  }
  return pdfmake.createPdf(definition).getBuffer()
}

function heading({ title, exportedAt, language, labels }: PdfChannel, runs: TextRuns): Content[] {
  const date = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short' }).format(new Date(exportedAt))
  return [
    { text: runs.of(title, { bold: true }), fontSize: sizes.title, lineHeight: 1.15, margin: [0, 0, 0, 2] },
    { text: runs.of(`${labels.exported} ${date}`, { color: colours.faint }), fontSize: sizes.small },
    {
      canvas: [{ type: 'line', x1: 0, y1: 8, x2: 538, y2: 8, lineWidth: 0.5, lineColor: colours.line }],
      margin: [0, 0, 0, 14],
    },
  ]
}

function exchangeContent(
  { question, answer, agentName, model, askedAt, authorName }: PdfExchange,
  { language, labels }: PdfChannel,
  runs: TextRuns,
  drawFormula: DrawFormula | undefined,
): Content[] {
  const time = new Intl.DateTimeFormat(language, { dateStyle: 'short', timeStyle: 'short' }).format(new Date(askedAt))
  const content: Content[] = []
  if (question.trim() !== '') {
    const bubble = {
      text: runs.of(question.slice(0, 100_000).replace(/\S{70}(?=\S)/gu, '$&\n')),
      fillColor: colours.bubble,
      margin: [8, 5, 8, 5],
    }
    content.push({
      columns: [
        {
          width: 90,
          text: [
            ...(authorName ? runs.of(`${authorName}\n`, { bold: true }) : []),
            ...runs.of(time, { color: colours.faint }),
          ],
          fontSize: 7.5,
          margin: [0, 8, 0, 0],
        },
        { width: '*', table: { widths: ['*'], body: [[bubble]] }, layout: 'noBorders' },
      ],
      margin: [0, 6, 0, 10],
    })
  }
  if (answer.trim() === '') return content
  const who = [
    ...runs.of(agentName, { bold: true, color: colours.brand }),
    ...(model ? runs.of(`  ${model}`, { color: colours.faint }) : []),
  ]
  return [
    ...content,
    { text: who, fontSize: sizes.small, margin: [0, 0, 0, 4] },
    ...markdownContent(answer, { runs, drawFormula, cutNote: labels.cut }),
  ]
}

async function loadFonts(slices: FontSlice[], fontSource: FontSource): Promise<void> {
  const files = [...new Set(slices.flatMap(({ files: each }) => Object.values(each)))].filter(
    (file) => !pdfmake.virtualfs.existsSync(file),
  )
  await Promise.all(files.map(async (file) => pdfmake.virtualfs.writeFileSync(file, await fontSource(file))))
  pdfmake.addFonts(Object.fromEntries(slices.map(({ name, files: each }) => [name, each])))
  // Nothing is fetched and no file is read: what the document needs is in memory.
  pdfmake.setUrlAccessPolicy(() => false)
  pdfmake.setLocalAccessPolicy?.(() => false)
}
