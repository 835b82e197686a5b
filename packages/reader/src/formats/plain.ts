import type { Reading } from '../reading'

/** Plain text: blank lines separate paragraphs. Where lines were broken at a width they stay as they are. */
export async function readPlain(text: string, reading: Reading): Promise<void> {
  // A form feed begins a page.
  const pages = text.replace(/\r\n?/g, '\n').split('\f')
  for (const [index, content] of pages.entries()) {
    if (pages.length > 1) reading.beginPage(index + 1)
    const page = pages.length > 1 ? { page: index + 1 } : {}
    for (const paragraph of content.split(/\n[^\S\n]*\n\s*/)) {
      await reading.breathe()
      for (const piece of piecesOf(paragraph)) reading.add({ kind: 'paragraph', text: piece, ...page })
    }
  }
}

const maxParagraph = 20_000

/** A text without blank lines is divided at line ends. */
function piecesOf(paragraph: string): string[] {
  if (paragraph.length <= maxParagraph) return [paragraph]
  const pieces: string[] = []
  let at = 0
  while (at < paragraph.length) {
    const rest = paragraph.slice(at, at + maxParagraph)
    const end = rest.length < maxParagraph ? rest.length : Math.max(rest.lastIndexOf('\n'), rest.lastIndexOf(' ')) + 1
    const length = end > maxParagraph / 2 || rest.length < maxParagraph ? end : maxParagraph
    pieces.push(paragraph.slice(at, at + length))
    at += length
  }
  return pieces
}

const maxCodeLines = 60

/** Source code and data: pieces end where a line at the margin follows an empty one, or after some lines. */
export async function readCode(text: string, reading: Reading): Promise<void> {
  let lines: string[] = []
  const flush = () => {
    for (const piece of piecesOf(lines.join('\n'))) reading.add({ kind: 'code', text: piece })
    lines = []
  }
  for (const line of text.replace(/\r\n?/g, '\n').split('\n')) {
    const isStart = /^\S/.test(line) && lines.at(-1)?.trim() === ''
    if ((isStart && lines.length > 8) || lines.length >= maxCodeLines) {
      flush()
      await reading.breathe()
    }
    lines.push(line)
  }
  flush()
}

const maxPrettyLength = 4_000_000

/** JSON without line ends is written with them; what is no JSON is read as it is. */
export async function readJson(text: string, reading: Reading): Promise<void> {
  const lineEnds = text.split('\n', 50).length
  if (text.length > maxPrettyLength || text.length / lineEnds < 2_000) return readCode(text, reading)
  let pretty = text
  try {
    pretty = JSON.stringify(JSON.parse(text), null, 1)
  } catch {
    reading.notices.add('damaged')
  }
  await readCode(pretty.length > text.length * 20 ? text : pretty, reading)
}
