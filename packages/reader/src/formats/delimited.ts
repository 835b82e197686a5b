import { bounds } from '../bounds'
import type { Reading } from '../reading'
import { guessHeader } from '../table-shape'

/** CSV and its kin: the separator is found, quoted cells may hold line ends. */
export async function readDelimited(text: string, reading: Reading): Promise<void> {
  const separator = separatorOf(text)
  const rows: string[][] = []
  let row: string[] = []
  let cells = 0
  let at = 0
  const endRow = () => {
    if (row.some((cell) => cell !== '')) rows.push(row)
    row = []
  }
  while (at < text.length && cells < bounds.maxCells) {
    if (cells++ % 2_000 === 0) await reading.breathe()
    const cell = text[at] === '"' ? quotedCell(text, at) : bareCell(text, at, separator)
    if (row.length < bounds.maxColumns) row.push(cell.text)
    at = cell.end
    if (text[at] === separator) at++
    else {
      endRow()
      if (text[at] === '\r') at++
      if (text[at] === '\n') at++
    }
  }
  endRow()
  if (rows.some(({ length }) => length > 1)) reading.add({ kind: 'table', rows, hasHeader: guessHeader(rows) })
  else for (const [cell = ''] of rows) reading.add({ kind: 'paragraph', text: cell })
  if (at < text.length) reading.stop('first-text')
}

function separatorOf(text: string): string {
  const head = text.slice(0, 10_000).replace(/"[^"]*"/g, '')
  const counts = [',', ';', '\t', '|'].map((separator) => ({ separator, count: head.split(separator).length }))
  return counts.reduce((best, other) => (other.count > best.count ? other : best)).separator
}

function quotedCell(text: string, from: number): { text: string; end: number } {
  let content = ''
  let at = from + 1
  for (;;) {
    const quote = text.indexOf('"', at)
    if (quote < 0) return { text: content + text.slice(at), end: text.length }
    content += text.slice(at, quote)
    if (text[quote + 1] !== '"') return { text: content, end: afterQuote(text, quote + 1) }
    content += '"'
    at = quote + 2
  }
}

/** Spaces between a closing quote and the separator are nothing; any other character is left to the next cell. */
function afterQuote(text: string, from: number): number {
  let at = from
  while (text[at] === ' ') at++
  return at
}

function bareCell(text: string, from: number, separator: string): { text: string; end: number } {
  let end = from
  while (end < text.length && text[end] !== separator && text[end] !== '\n' && text[end] !== '\r') end++
  return { text: text.slice(from, end), end }
}
