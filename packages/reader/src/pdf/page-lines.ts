import type { RecognisedParagraph } from '../ocr'

/** As pdf.js gives them; the origin is the lower left corner. */
export type TextItem = {
  str: string
  transform: number[]
  width: number
  height: number
  fontName: string
  hasEOL: boolean
}

/** A piece of text on one line without a wide gap in it. `x` to `right`, the baseline at `y` from the top. */
export type Segment = { x: number; right: number; y: number; size: number; text: string }
/** Segments on one baseline, from left to right. */
export type Line = { y: number; size: number; segments: Segment[] }

export type PageLines = {
  number: number
  width: number
  height: number
  lines: Line[]
  length: number
  /** Paragraphs of its picture, where it has no text. */
  recognised: RecognisedParagraph[]
}

type PageBox = { number: number; left: number; bottom: number; width: number; height: number }

/** Wider than so many times the height of the letters, a gap is one between columns. */
const columnGap = 1.4
const wordGap = 0.17

export function linesOfPage(items: readonly TextItem[], box: PageBox): PageLines {
  const { number, width, height } = box
  const pieces = items.flatMap((item) => pieceOf(item, box))
  const lines = linesOf(pieces)
  const length = pieces.reduce((sum, { text }) => sum + text.length, 0)
  return { number, width, height, lines, length, recognised: [] }
}

function pieceOf({ str, transform, width, height }: TextItem, box: PageBox): Segment[] {
  if (str.trim() === '') return []
  // Dots that lead from a title to its page.
  const text = str.replace(/(?:\s?\.){5,}/g, ' …')
  const [a = 1, b = 0, , , x = 0, y = 0] = transform
  const size = Math.min(200, Math.max(1, height || Math.hypot(a, b)))
  const left = x - box.left
  return [{ x: left, right: left + Math.abs(width), y: box.height - (y - box.bottom), size, text }]
}

/** Pieces whose baselines are nearly the same, whatever order the file has them in. */
function linesOf(pieces: readonly Segment[]): Line[] {
  const sorted = [...pieces].sort((one, other) => one.y - other.y)
  const lines: Segment[][] = []
  let baseline = Number.NEGATIVE_INFINITY
  for (const piece of sorted) {
    const line = lines.at(-1)
    if (line && piece.y - baseline < Math.min(piece.size, line[0]?.size ?? piece.size) * 0.45) line.push(piece)
    else {
      lines.push([piece])
      baseline = piece.y
    }
  }
  return lines.map((line) => {
    const segments = segmentsOf(line.sort((one, other) => one.x - other.x))
    const size = Math.max(...segments.map((segment) => segment.size))
    return { y: segments[0]?.y ?? 0, size, segments }
  })
}

function segmentsOf(pieces: readonly Segment[]): Segment[] {
  const segments: Segment[] = []
  for (const piece of pieces) {
    const last = segments.at(-1)
    const gap = last ? piece.x - last.right : 0
    if (!last || gap > Math.max(last.size, piece.size) * columnGap) {
      segments.push({ ...piece })
      continue
    }
    // A shadow: the same words drawn twice in one place.
    if (last.text.endsWith(piece.text) && piece.right <= last.right + 1 && gap < -piece.size * 0.3) continue
    const isApart = gap > piece.size * wordGap && !/\s$/.test(last.text) && !/^\s/.test(piece.text)
    last.text += `${isApart ? ' ' : ''}${piece.text}`
    last.right = Math.max(last.right, piece.right)
    if (piece.text.trim().length > 2) last.size = Math.max(last.size, piece.size)
  }
  return segments
}
