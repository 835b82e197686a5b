import type { DocumentBlock, Passage, ReadDocument } from '@parley/contract/read-document'
import { piecesOfText, sentenceEnd } from './sentences'

/** Passages are about so long; what belongs together may make them longer. */
const targetLength = 800
const maxLength = 1_000
/** A remainder that is shorter joins the passage before it. */
const minLength = 160

type Piece = { text: string; block: number; page: number | undefined; isHeading: boolean; isTight: boolean }
type Open = { pieces: Piece[]; length: number; headings: string[] }

/**
 * A document in pieces of about 800 characters along its structure: never across a heading or a page, unless a sentence
 * goes on there. Each character of it is in one passage; rows of a table stand below its header in each of its
 * passages.
 */
export function passagesOf({ blocks }: Pick<ReadDocument, 'blocks'>): Passage[] {
  const passages: Passage[] = []
  const stack: { level: number; text: string }[] = []
  let open: Open | undefined

  const flush = () => {
    if (open) close(open, passages)
    open = undefined
  }
  const add = (piece: Piece) => {
    open ??= { pieces: [], length: 0, headings: stack.map(({ text }) => text) }
    open.pieces.push(piece)
    open.length += piece.text.length + 1
  }

  for (const [index, block] of blocks.entries()) {
    if (block.kind === 'heading') {
      if (open?.pieces.some(({ isHeading }) => !isHeading) || isOtherPage(open, block)) flush()
      while ((stack.at(-1)?.level ?? 0) >= block.level) stack.pop()
      stack.push({ level: block.level, text: block.text })
      if (open) open.headings = stack.map(({ text }) => text)
    }
    let rest = piecesOf(block, index)
    if (isOtherPage(open, block)) {
      rest = continued(open, blocks[index - 1], rest)
      flush()
    }
    for (const piece of rest) {
      if (open && open.length + piece.text.length > (open.length < minLength ? maxLength : targetLength)) flush()
      add(piece)
    }
  }
  flush()
  return passages
}

const isOtherPage = (open: Open | undefined, { page }: DocumentBlock): boolean =>
  open !== undefined && page !== undefined && open.pieces.at(-1)?.page !== page

/** The end of a sentence that began on the page before joins it there. What is left of the pieces is answered. */
function continued(open: Open | undefined, before: DocumentBlock | undefined, pieces: Piece[]): Piece[] {
  const [first, ...others] = pieces
  if (!open || !first || before?.kind !== 'paragraph' || /[.!?…:;»”")\]]\s*$/.test(before.text)) return pieces
  if (!/^[\p{Ll}\p{N}(]/u.test(first.text)) return pieces
  const end = sentenceEnd(first.text)
  if (end === undefined || end > maxLength) return pieces
  open.pieces.push({ ...first, text: first.text.slice(0, end).trimEnd(), isTight: true })
  const rest = first.text.slice(end).trimStart()
  return rest === '' ? others : [{ ...first, text: rest }, ...others]
}

function piecesOf(block: DocumentBlock, index: number): Piece[] {
  const of = (text: string, isTight = false): Piece => ({
    ...{ text, block: index, page: block.page, isTight },
    isHeading: block.kind === 'heading',
  })
  if (block.kind === 'table') return tablePieces(block).map((text) => of(text))
  const mark = block.kind === 'list-item' ? `${'  '.repeat(Math.min(4, block.level))}- ` : ''
  if (mark.length + block.text.length <= maxLength) return [of(mark + block.text)]
  const parts = piecesOfText(block.text, targetLength, block.kind === 'code')
  return parts.map((text, part) => of(part === 0 ? mark + text : text, part > 0))
}

const rowText = (row: readonly string[]): string => row.map((cell) => cell.replace(/\s+/g, ' ')).join(' | ')

/** Its rows, as many as a passage has, the header above each. */
function tablePieces({ rows, hasHeader }: Extract<DocumentBlock, { kind: 'table' }>): string[] {
  const [first, ...others] = rows.map(rowText)
  if (first === undefined) return []
  const isRepeated = hasHeader && first.length < targetLength / 2
  const header = isRepeated ? `${first}\n` : ''
  const pieces: string[] = []
  let text = isRepeated ? '' : first
  const flush = () => {
    if (text !== '') pieces.push(header + text)
    text = ''
  }
  for (const row of others) {
    if (text !== '' && header.length + text.length + row.length > targetLength) flush()
    if (row.length > maxLength) {
      const parts = piecesOfText(row, targetLength - header.length, false)
      for (const part of parts) {
        flush()
        text = part
      }
    } else text += text === '' ? row : `\n${row}`
  }
  flush()
  return pieces.length === 0 ? [first] : pieces.flatMap((piece) => (piece.length > 4 * maxLength ? hard(piece) : piece))
}

const hard = (text: string): string[] => piecesOfText(text, targetLength, false)

function close({ pieces, headings }: Open, passages: Passage[]): void {
  const text = textOf(pieces)
  const [first] = pieces
  const last = pieces.at(-1)
  if (!first || !last) return
  const before = passages.at(-1)
  const isRemainder =
    text.length < minLength &&
    before !== undefined &&
    before.page === first.page &&
    before.text.length + text.length < maxLength &&
    before.headings.length === headings.length &&
    before.headings.every((heading, index) => heading === headings[index])
  if (isRemainder) {
    before.text += `${pieces[0]?.isTight ? ' ' : '\n'}${text}`
    before.blocks = [before.blocks[0], last.block + 1]
    return
  }
  const page = first.page === undefined ? {} : { page: first.page }
  passages.push({ index: passages.length, text, ...page, headings, blocks: [first.block, last.block + 1] })
}

const textOf = (pieces: readonly Piece[]): string =>
  pieces.reduce((text, piece) => (text === '' ? piece.text : `${text}${piece.isTight ? ' ' : '\n'}${piece.text}`), '')
