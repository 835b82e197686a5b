import type { ScannedLine } from '@parley/contract/read-document'

/**
 * Lays what was recognised in the picture of a page over it, unseen, as the words of other pages lie over theirs: they
 * can be selected, read aloud and marked. `layer` is as large as the page, and in the document.
 */
export function layScannedLines(lines: readonly ScannedLine[], layer: HTMLElement): HTMLElement[] {
  const { clientWidth, clientHeight } = layer
  const pieces = lines.map(({ text, box: [left, top, , bottom] }) => {
    const piece = document.createElement('span')
    piece.textContent = text
    piece.dir = 'auto'
    piece.style.left = `${left * 100}%`
    piece.style.top = `${top * 100}%`
    piece.style.fontSize = piece.style.lineHeight = `${Math.max(1, (bottom - top) * clientHeight)}px`
    return piece
  })
  layer.replaceChildren(...pieces)
  // Read all before any is changed: each change would have the page laid out again.
  const widths = pieces.map(({ offsetWidth }) => offsetWidth)
  for (const [index, piece] of pieces.entries()) {
    const { box: [left, , right] = [0, 0, 0, 0] } = lines[index] ?? {}
    const wanted = (right - left) * clientWidth
    piece.style.transform = `scaleX(${wanted / Math.max(1, widths[index] ?? 1)})`
  }
  return pieces
}
