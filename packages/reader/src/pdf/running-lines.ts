import type { Line, PageLines } from './page-lines'

const minPages = 4
/** Of the page, above and below: there running titles and page numbers stand. */
const margin = 0.11

/** Without lines that stand at the head or foot of most pages, numbers aside, and without page numbers. */
export function withoutRunningLines(pages: readonly PageLines[]): PageLines[] {
  if (pages.length < minPages) return [...pages]
  const counts = new Map<string, number>()
  for (const page of pages)
    for (const key of new Set(edgeLines(page).map(keyOf))) counts.set(key, (counts.get(key) ?? 0) + 1)
  const least = Math.max(3, pages.filter(({ lines }) => lines.length > 0).length * 0.4)
  const isRunning = (line: Line) => /^[\s#–—·|.-]{1,9}$/.test(keyOf(line)) || (counts.get(keyOf(line)) ?? 0) >= least
  return pages.map((page) => {
    const edges = new Set(edgeLines(page).filter(isRunning))
    return edges.size === 0 ? page : { ...page, lines: page.lines.filter((line) => !edges.has(line)) }
  })
}

/** The two outermost lines of each side, where they are in the margin. */
function edgeLines({ lines, height }: PageLines): Line[] {
  const above = lines.slice(0, 2).filter(({ y }) => y < height * margin)
  const below = lines.slice(-2).filter(({ y }) => y > height * (1 - margin))
  return [...new Set([...above, ...below])]
}

const keyOf = ({ segments }: Line): string =>
  segments
    .map(({ text }) => text)
    .join(' ')
    .replace(/\d+|\b[ivxlc]+\b/gi, '#')
    .replace(/\s+/g, ' ')
    .trim()
