import type { Line, PageLines, Segment } from './page-lines'

const minLines = 6

/**
 * The lines of a page in bands that are read one after the other: where text stands in two columns, what crosses both,
 * then the left one, then the right one.
 */
export function bandsOf(page: PageLines): Line[][] {
  const gutter = gutterOf(page)
  if (gutter === undefined) return [page.lines]
  const bands: Line[][] = []
  let left: Line[] = []
  let right: Line[] = []
  let across: Line[] = []
  const flushColumns = () => {
    for (const column of [left, right]) if (column.length > 0) bands.push(column)
    left = []
    right = []
  }
  for (const line of page.lines) {
    if (line.segments.some((segment) => crosses(segment, gutter))) {
      flushColumns()
      across.push(line)
      continue
    }
    if (across.length > 0) bands.push(across)
    across = []
    const ofLeft = line.segments.filter(({ x }) => x < gutter)
    const ofRight = line.segments.filter(({ x }) => x >= gutter)
    if (ofLeft.length > 0) left.push({ ...line, segments: ofLeft })
    if (ofRight.length > 0) right.push({ ...line, segments: ofRight })
  }
  flushColumns()
  if (across.length > 0) bands.push(across)
  return bands
}

const crosses = ({ x, right }: Segment, gutter: number): boolean => x < gutter - 2 && right > gutter + 2

/** Where two columns of prose part: many lines on both sides, few across. Cells of a table are too short for prose. */
function gutterOf({ lines, width }: PageLines): number | undefined {
  if (lines.length < minLines) return undefined
  const starts = new Map<number, number>()
  for (const { segments } of lines)
    for (const { x } of segments)
      if (x > width * 0.35 && x < width * 0.65) starts.set(Math.round(x / 4), (starts.get(Math.round(x / 4)) ?? 0) + 1)
  const [start, count] = [...starts].reduce((most, each) => (each[1] > most[1] ? each : most), [0, 0])
  if (count < minLines) return undefined
  const gutter = start * 4 - 5
  const all = lines.flatMap(({ segments }) => segments)
  const left = all.filter(({ right }) => right <= gutter + 2)
  const right = all.filter(({ x }) => x >= gutter - 2)
  const across = all.filter((segment) => crosses(segment, gutter))
  const isParted = left.length >= minLines && right.length >= minLines && across.length < all.length * 0.25
  return isParted && isProse(left) && isProse(right) ? gutter : undefined
}

/** Most lines of prose go on to the end of its column, and none has gaps. */
function isProse(segments: readonly Segment[]): boolean {
  const from = Math.min(...segments.map(({ x }) => x))
  const to = Math.max(...segments.map(({ right }) => right))
  const long = segments.filter(({ x, right }) => right - x > (to - from) * 0.7)
  return long.length > segments.length * 0.5
}
