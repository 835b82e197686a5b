import type { Reading } from '../reading'
import { guessHeader } from '../table-shape'

/** Markdown by lines: headings, lists, fenced code, tables, footnotes; of the rest paragraphs. */
export async function readMarkdown(text: string, reading: Reading): Promise<void> {
  const lines = text
    .replace(/\r\n?/g, '\n')
    .replace(/^---\n[\s\S]{0,20000}?\n---\n/, '')
    .split('\n')
  let paragraph: string[] = []
  const flush = () => {
    if (paragraph.length > 0) reading.add({ kind: 'paragraph', text: plain(paragraph.join('\n')) })
    paragraph = []
  }
  for (let at = 0; at < lines.length; at++) {
    if (at % 500 === 0) await reading.breathe()
    const line = lines[at] ?? ''
    const next = lines[at + 1] ?? ''
    const fence = /^\s{0,3}(`{3,}|~{3,})/.exec(line)?.[1]
    const heading = /^\s{0,3}(#{1,6})\s+(.+?)\s*#*\s*$/.exec(line)
    const item = /^(\s*)(?:[-*+]|\d{1,4}[.)])\s+(.+)$/.exec(line)
    const note = /^\[\^([^\]]+)\]:\s*(.+)$/.exec(line)
    if (fence) {
      flush()
      const end = lines.findIndex((other, index) => index > at && other.trim().startsWith(fence))
      const last = end < 0 ? lines.length : end
      reading.add({ kind: 'code', text: lines.slice(at + 1, last).join('\n') })
      at = last
    } else if (heading) {
      flush()
      reading.add({ kind: 'heading', level: heading[1]?.length ?? 1, text: plain(heading[2] ?? '') })
    } else if (paragraph.length === 0 && line.trim() !== '' && /^\s{0,3}(?:=+|-{2,})\s*$/.test(next)) {
      reading.add({ kind: 'heading', level: next.trim().startsWith('=') ? 1 : 2, text: plain(line) })
      at++
    } else if (isRow(line) && /^\s*\|?[\s:|-]*-[\s:|-]*\|[\s:|-]*$/.test(next)) {
      flush()
      at = readTable(lines, at, reading)
    } else if (note) {
      flush()
      reading.add({ kind: 'footnote', text: `${note[1]} ${plain(note[2] ?? '')}` })
    } else if (item) {
      flush()
      const level = Math.min(8, Math.floor((item[1] ?? '').replaceAll('\t', '    ').length / 2))
      const more = continuation(lines, at)
      at += more.length
      reading.add({ kind: 'list-item', level, text: plain([item[2], ...more].join('\n')) })
    } else if (line.trim() === '' || /^\s{0,3}(?:[-*_]\s*){3,}$/.test(line)) flush()
    else paragraph.push(line.replace(/^\s*>\s?/, ''))
  }
  flush()
}

const isRow = (line: string): boolean => line.includes('|')

/** Lines of an item after its first: indented, until an empty one or the next item. */
function continuation(lines: readonly string[], at: number): string[] {
  const more: string[] = []
  for (const line of lines.slice(at + 1, at + 200)) {
    if (!/^\s{2,}\S/.test(line) || /^\s*(?:[-*+]|\d{1,4}[.)])\s/.test(line)) break
    more.push(line.trim())
  }
  return more
}

function readTable(lines: readonly string[], from: number, reading: Reading): number {
  let end = from + 2
  while (end < lines.length && isRow(lines[end] ?? '') && (lines[end] ?? '').trim() !== '') end++
  const rows = lines
    .slice(from, end)
    .filter((_, index) => index !== 1)
    .map(cellsOf)
  reading.add({ kind: 'table', rows, hasHeader: rows.length > 1 || guessHeader(rows) })
  return end - 1
}

const cellsOf = (line: string): string[] =>
  line
    .trim()
    .replace(/^\||\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => plain(cell.replaceAll('\\|', '|')).trim())

/** Without marks of emphasis; a link is its words and its address. */
function plain(text: string): string {
  return text
    .replace(/!\[([^\]\n]*)\]\([^)\n]*\)/g, '$1')
    .replace(/\[([^\]\n]+)\]\(([^)\s\n]+)[^)\n]*\)/g, '$1 ($2)')
    .replace(/(\*\*|__)(?=\S)([^\n]*?\S)\1/g, '$2')
    .replace(/(?<![\w*])\*(?=\S)([^*\n]*?\S)\*(?![\w*])/g, '$1')
    .replace(/\\([\\`*_{}[\]()#+.!|-])/g, '$1')
}
