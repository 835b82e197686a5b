import { guessHeader } from '../table-shape'
import type { Line, Segment } from './page-lines'

export type Run = { kind: 'lines'; lines: Line[] } | { kind: 'table'; rows: string[][]; hasHeader: boolean }

type Column = { from: number; to: number }

/** Lines as they follow each other, and tables: lines whose pieces stand above each other in columns. */
export function runsOf(lines: readonly Line[]): Run[] {
  const runs: Run[] = []
  let plain: Line[] = []
  let at = 0
  while (at < lines.length) {
    const end = endOfTable(lines, at)
    const table = end === undefined ? undefined : tableOf(lines.slice(at, end))
    if (end !== undefined && table) {
      if (plain.length > 0) runs.push({ kind: 'lines', lines: plain })
      plain = []
      runs.push(table)
      at = end
    } else {
      const line = lines[at]
      if (line) plain.push(line)
      at++
    }
  }
  if (plain.length > 0) runs.push({ kind: 'lines', lines: plain })
  return runs
}

const minRows = 3
const maxRowGap = 3

/**
 * After the last of the lines from here that have several pieces, and those between that go on in one of their cells.
 */
function endOfTable(lines: readonly Line[], from: number): number | undefined {
  let end = from
  let rows = 0
  for (let at = from; at < lines.length; at++) {
    const line = lines[at]
    const last = lines[at - 1]
    if (!line || (at > from && last && line.y - last.y > Math.max(line.size, last.size) * maxRowGap)) break
    if (line.segments.length > 1) {
      rows++
      end = at + 1
    } else if (at - end >= 2 || at === from || !isIndented(line, lines[from])) break
  }
  return rows >= minRows ? end : undefined
}

/** A second line of a cell begins where a column does that is not the first, or is short. */
const isIndented = ({ segments: [piece] }: Line, first: Line | undefined): boolean =>
  Boolean(piece && first?.segments.slice(1).some(({ x, right }) => piece.x >= x - 3 && piece.right <= right + 60))

function tableOf(lines: readonly Line[]): Run | undefined {
  const columns = columnsOf(lines.flatMap(({ segments }) => segments))
  if (columns.length < 2) return undefined
  const rows: string[][] = []
  for (const line of lines) {
    const row = Array.from({ length: columns.length }, () => '')
    for (const segment of line.segments) {
      const column = columns.findIndex(({ from, to }) => segment.x < to && segment.right > from)
      if (column >= 0) row[column] = `${row[column]} ${segment.text}`.trim()
    }
    const last = rows.at(-1)
    // Only its first column is empty: it goes on where the row above it ended.
    if (last && row[0] === '' && line.segments.length === 1)
      rows[rows.length - 1] = last.map((cell, index) => `${cell} ${row[index]}`.trim())
    else rows.push(row)
  }
  const filled = rows.filter((row) => row.filter((cell) => cell !== '').length > 1)
  return filled.length >= rows.length * 0.6 ? { kind: 'table', rows, hasHeader: guessHeader(rows) } : undefined
}

/** Pieces that overlap in width are of one column. */
function columnsOf(segments: readonly Segment[]): Column[] {
  const columns: Column[] = []
  for (const { x, right } of [...segments].sort((one, other) => one.x - other.x)) {
    const last = columns.at(-1)
    if (last && x < last.to) last.to = Math.max(last.to, right)
    else columns.push({ from: x, to: right })
  }
  return columns
}
