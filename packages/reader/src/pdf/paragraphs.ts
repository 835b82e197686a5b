import type { DocumentBlock } from '@parley/contract/read-document'
import type { Line, PageLines } from './page-lines'

/** The size of the text's letters, and those of headings, largest first. */
export type Shape = { body: number; headings: number[] }

const bullet = /^[•◦▪‣●○■□·–—*-]\s+(?=\S)/
const numbered = /^(?:\(?\d{1,3}[.)]|\(?[a-z][.)])\s+(?=\S)/
const numberedHeading =
  /^(?:\d{1,2}(?:\.\d{1,2}){0,4}\.?|[IVX]{1,5}\.|(?:art(?:igo|ículo|icle)?|cap[ií]tulo|chapter|se[cç][cç]?[iã]ón?|section|anexo|annex|appendix)\.?\s+[\dIVX]+\S*)\s+\p{Lu}/iu
const noteMark = /^(?:\[?\d{1,3}\]?[.)]?|[*†‡§¹²³⁴⁵⁶⁷⁸⁹])\s*(?=\S)/

type Open = { lines: string[]; line: Line; last: Line; right: number }

/** Lines are one paragraph until a gap, another size, an indented line, a mark of a list, or a short line that ends. */
export function paragraphsOf(lines: readonly Line[], page: PageLines, shape: Shape): DocumentBlock[] {
  const blocks: DocumentBlock[] = []
  const gap = usualGap(lines)
  const edge = Math.max(0, ...lines.map(endOf))
  let open: Open | undefined
  const flush = () => {
    if (open) blocks.push(blockOf(open, page, shape, edge))
    open = undefined
  }
  for (const line of lines) {
    if (open && beginsParagraph(line, open, gap, edge)) flush()
    if (!open) open = { lines: [textOf(line)], line, last: line, right: endOf(line) }
    else {
      open.lines.push(textOf(line))
      open.last = line
      open.right = Math.max(open.right, endOf(line))
    }
  }
  flush()
  return blocks
}

function beginsParagraph(line: Line, { line: first, last }: Open, gap: number, edge: number): boolean {
  const text = textOf(line)
  const before = textOf(last)
  if (Math.abs(line.size - last.size) > last.size * 0.08) return true
  if (line.y - last.y > Math.max(gap, last.size * 1.1) * 1.35 || line.y < last.y) return true
  if (bullet.test(text) || (numbered.test(text) && /[.:;!?]$/.test(before))) return true
  if (numberedHeading.test(text) && endOf(last) < edge * 0.8) return true
  const isShort = endOf(last) < edge - line.size * 6
  const isIndented = startOf(line) > startOf(last) + line.size * 0.8 && startOf(last) <= startOf(first)
  return (isShort && /[.:!?…»”")]$/.test(before)) || (isIndented && /[.:!?…»”")]$/.test(before))
}

function blockOf({ lines, line, right }: Open, page: PageLines, shape: Shape, edge: number): DocumentBlock {
  const text = joined(lines)
  const at = { page: page.number }
  if (lines.length <= 3 && text.length <= 160 && line.size > shape.body * 1.12) {
    const level = shape.headings.findIndex((size) => line.size >= size * 0.95)
    return { kind: 'heading', level: (level < 0 ? shape.headings.length : level + 1) || 1, text: oneLine(text), ...at }
  }
  if (isNumberedHeading(text, lines.length, right, edge)) {
    const depth = text.split(' ')[0]?.match(/\d+/g)?.length ?? 1
    return { kind: 'heading', level: Math.min(6, Math.min(3, shape.headings.length) + depth), text, ...at }
  }
  const isLow = line.y > page.height * 0.55
  if (isLow && line.size < shape.body * 0.92 && noteMark.test(text)) return { kind: 'footnote', text, ...at }
  if (bullet.test(text)) return { kind: 'list-item', level: 0, text: text.replace(bullet, ''), ...at }
  if (numbered.test(text)) return { kind: 'list-item', level: 0, text, ...at }
  return { kind: 'paragraph', text, ...at }
}

const isNumberedHeading = (text: string, lines: number, right: number, edge: number): boolean =>
  lines === 1 && text.length < 90 && right < edge * 0.85 && !/[.;,:!?]$/.test(text) && numberedHeading.test(text)

/** Words that were divided at the end of a line are whole again. */
function joined(lines: readonly string[]): string {
  let text = ''
  for (const line of lines) {
    if (/\p{L}[-\u00AD\u2010]$/u.test(text) && /^\p{Ll}/u.test(line)) text = text.slice(0, -1) + line
    else text += text === '' ? line : ` ${line}`
  }
  return text
}

function usualGap(lines: readonly Line[]): number {
  const gaps = lines.slice(1).map((line, index) => line.y - (lines[index]?.y ?? 0))
  const sorted = gaps.filter((each) => each > 0).sort((one, other) => one - other)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}

const textOf = ({ segments }: Line): string => segments.map(({ text }) => text.trim()).join(' ')
const startOf = ({ segments }: Line): number => segments[0]?.x ?? 0
const endOf = ({ segments }: Line): number => segments.at(-1)?.right ?? 0
const oneLine = (text: string): string => text.replace(/\s+/g, ' ')
