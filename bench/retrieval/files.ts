import type { DocumentBlock } from '@parley/contract/read-document'
import { docxOf, docxParagraph, docxTable, utf8 } from '@parley/reader/testing/files'
import { type PdfText, pdfOf } from '@parley/reader/testing/pdf-bytes'

/** The documents are files as people have them: Markdown, HTML, Word and PDF in turn. */
export function fileOf(blocks: readonly DocumentBlock[], index: number): { name: string; bytes: Uint8Array } {
  const name = `document-${index}`
  if (index % 4 === 0) return { name: `${name}.md`, bytes: utf8(blocks.map(markdown).join('\n\n')) }
  if (index % 4 === 1)
    return { name: `${name}.html`, bytes: utf8(`<html><body>${blocks.map(html).join('')}</body></html>`) }
  if (index % 4 === 2) return { name: `${name}.docx`, bytes: docxOf(blocks.map(word).join('')) }
  return { name: `${name}.pdf`, bytes: pdfOf(pagesOf(blocks)) }
}

function markdown(block: DocumentBlock): string {
  if (block.kind === 'heading') return `${'#'.repeat(block.level)} ${block.text}`
  if (block.kind === 'footnote') return block.text.replace(/^1/, '[^1]:')
  if (block.kind !== 'table') return block.text
  const [head = [], ...rows] = block.rows
  return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n')
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

function html(block: DocumentBlock): string {
  if (block.kind === 'heading') return `<h${block.level}>${escaped(block.text)}</h${block.level}>`
  if (block.kind === 'footnote') return `<p role="doc-footnote">${escaped(block.text)}</p>`
  if (block.kind !== 'table') return `<p>${escaped(block.text)}</p>`
  return `<table>${block.rows.map((row) => `<tr>${row.map((cell) => `<td>${escaped(cell)}</td>`).join('')}</tr>`).join('')}</table>`
}

function word(block: DocumentBlock): string {
  if (block.kind === 'table') return docxTable(block.rows.map((row) => row.map(escaped)))
  return docxParagraph(escaped(block.text), block.kind === 'heading' ? `Ttulo${block.level}` : undefined)
}

const lineLength = 88
const bottom = 760

/** Pages with headings in large letters, tables in columns, and footnotes in small letters below. */
function pagesOf(blocks: readonly DocumentBlock[]): PdfText[][] {
  let page: PdfText[] = []
  const pages = [page]
  let notes: string[] = []
  let y = 70
  const endPage = () => {
    for (const [index, text] of notes.entries()) page.push({ x: 60, y: 785 + index * 10, size: 8, text })
    notes = []
  }
  const line = (texts: { x: number; text: string }[], size: number) => {
    if (y > bottom) {
      endPage()
      page = []
      pages.push(page)
      y = 70
    }
    for (const { x, text } of texts) page.push({ x, y, size, text })
    y += size * 1.3
  }
  for (const block of blocks) {
    y += 9
    // The euro sign is not among the letters that these pages have.
    if (block.kind === 'footnote') notes.push(...wrapped(block.text, 120))
    else if (block.kind === 'table')
      for (const row of block.rows)
        line(
          row.map((text, column) => ({ x: 60 + column * 170, text: text.replaceAll('€', 'EUR') })),
          10,
        )
    else {
      const size = block.kind === 'heading' ? (block.level === 1 ? 20 : 15) : 10.5
      for (const text of wrapped(block.text, block.kind === 'heading' ? 50 : lineLength)) line([{ x: 60, text }], size)
    }
  }
  endPage()
  return pages
}

function wrapped(text: string, length: number): string[] {
  const lines = ['']
  for (const part of text.replaceAll('€', 'EUR').split(' ')) {
    const last = lines.at(-1) ?? ''
    if (last.length + part.length > length) lines.push(part)
    else lines[lines.length - 1] = last === '' ? part : `${last} ${part}`
  }
  return lines
}
