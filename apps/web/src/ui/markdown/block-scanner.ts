// Cuts an answer into blocks, one line at a time, never looking back: a finished block is final whatever follows, so
// that the cost of an update depends on the last block alone. It splits only where CommonMark is sure to split; where
// in doubt it joins, and the Markdown parser decides inside the block.

import { continuesProse, startsBlock } from './block-rules'
import { type Block, budget } from './blocks'
import * as lines from './lines'
import {
  blockOf,
  isDataPicture,
  nestedFence,
  type Open,
  type OpenCode,
  type OpenMath,
  type OpenPicture,
  type OpenProse,
  type OpenTable,
  type Shape,
  shapeOf,
} from './open-block'

/**
 * A piece of a line: `isFirst` and `isLast` differ only for lines longer than `budget.maxLine`. `isGrowing`: the end of
 * the line has not arrived, so the text is all that is known of it, and code must not get a line feed that is not
 * there.
 */
export type Piece = { text: string; at: number; isFirst: boolean; isLast: boolean; isGrowing?: boolean }

/** Further blank lines in a row show nothing. */
const maxBlankLines = 100
const maxBlankLength = 100

export class BlockScanner {
  readonly finished: Block[] = []
  private open: Open | undefined

  /** A scanner that goes on from here without changing this one: it shows the line that is still being written. */
  fork(): BlockScanner {
    const fork = new BlockScanner()
    if (this.open)
      fork.open = this.open.kind === 'table' ? { ...this.open, segments: [...this.open.segments] } : { ...this.open }
    return fork
  }

  push(piece: Piece): void {
    const open = this.open
    if (open?.kind === 'code') this.inCode(open, piece)
    else if (open?.kind === 'math') this.inMath(open, piece)
    else if (open?.kind === 'picture') this.inPicture(open, piece)
    else if (!piece.isFirst) this.startProse(piece, open?.kind === 'prose' ? open.shape : 'paragraph', true)
    else if (open?.kind === 'table') this.inTable(open, piece)
    else if (open?.kind === 'prose') this.inProse(open, piece)
    else if (!lines.isBlank(piece.text)) this.start(piece)
  }

  /** Ends the last block as it stands. */
  end(): readonly Block[] {
    this.close()
    return this.finished
  }

  private inCode(open: OpenCode, piece: Piece): void {
    if (
      !open.midLine &&
      piece.isLast &&
      lines.closesFence(piece.text, open.fence.mark) &&
      lines.indentOf(piece.text) < open.fence.indent + 4
    ) {
      this.close(true)
      return
    }
    const text = open.midLine || open.fence.indent === 0 ? piece.text : lines.dedent(piece.text, open.fence.indent)
    const isWholeLine = piece.isLast && !piece.isGrowing
    open.code += isWholeLine ? `${text}\n` : text
    open.midLine = !isWholeLine
  }

  private inMath(open: OpenMath, piece: Piece): void {
    const text = piece.text.trimEnd()
    // Most likely a sentence that starts with two dollar signs: a formula that begins on its first line has no empty
    // lines.
    if (open.isInline && text === '' && piece.isFirst && open.source.length < budget.maxProse) {
      this.proseInsteadOfMath(open)
      return
    }
    open.source += piece.isFirst ? `\n${text}` : text
    const isClosing = piece.isLast && text.endsWith(open.close)
    open.tex += `${open.tex && piece.isFirst ? '\n' : ''}${isClosing ? text.slice(0, -open.close.length) : text}`
    if (isClosing) this.close(true)
  }

  private inPicture(open: OpenPicture, piece: Piece): void {
    if (open.source.length < budget.maxPicture) open.source += piece.text
    if (piece.isLast) this.close(true)
  }

  private inTable(open: OpenTable, piece: Piece): void {
    if (lines.isBlank(piece.text)) {
      this.close()
      return
    }
    // A row that begins with its bar can be nothing else, and a table can be long.
    if (
      !piece.isLast ||
      (!piece.text.startsWith('|') && (startsBlock(piece.text) || lines.listItem(piece.text) !== undefined))
    ) {
      this.close()
      this.start(piece)
      return
    }
    const last = open.segments.length - 1
    if (open.rowCount % budget.tableSegmentRows === 0) open.segments.push(piece.text)
    else open.segments[last] = `${open.segments[last] ?? ''}\n${piece.text}`
    open.rowCount += 1
  }

  private inProse(open: OpenProse, piece: Piece): void {
    const { text } = piece
    if (open.htmlEnd) {
      this.append(open, piece)
      if (open.htmlEnd.test(text)) this.close()
      return
    }
    if (lines.isBlank(text)) {
      open.blanks += 1
      if (open.blanks <= maxBlankLines) open.blankText += `\n${text.slice(0, maxBlankLength)}`
      if (open.shape === 'paragraph' || open.shape === 'quote' || open.shape === 'html') this.close()
      return
    }
    if (open.shape === 'paragraph') {
      const header = open.text.slice(open.text.lastIndexOf('\n') + 1)
      if (piece.isLast && lines.isTableStart(header, text)) {
        this.startTable(open, header, piece)
        return
      }
      if (lines.isSetextUnderline(text)) {
        this.append(open, piece)
        // Under link reference definitions it is no underline, and what follows goes on.
        if (!/^ {0,3}\[/.test(open.text)) this.close()
        return
      }
    }
    if (continuesProse(open, text)) {
      this.append(open, piece)
      return
    }
    this.close()
    this.start(piece)
  }

  private start(piece: Piece): void {
    const { text, at } = piece
    const fence = piece.isLast ? lines.openingFence(text) : undefined
    if (fence) {
      this.open = { kind: 'code', key: at, isContinuation: false, fence, code: '', midLine: false }
      return
    }
    const math = lines.openingMath(text)
    if (math) {
      this.startMath(piece, math)
      return
    }
    if (isDataPicture(text)) {
      this.open = { kind: 'picture', key: at, isContinuation: false, source: text }
      if (piece.isLast) this.close(true)
      return
    }
    this.startProse(piece, shapeOf(text), false)
    if (piece.isLast && (lines.isHeading(text) || lines.isRule(text))) this.close()
  }

  private startMath(piece: Piece, { close, rest }: { close: string; rest: string }): void {
    const isClosed = rest.length >= 2 && rest.endsWith(close)
    this.open = {
      kind: 'math',
      key: piece.at,
      isContinuation: false,
      close,
      source: piece.text,
      tex: isClosed ? rest.slice(0, -2) : rest,
      isInline: rest !== '',
    }
    if (isClosed) this.close(true)
  }

  private proseInsteadOfMath(open: OpenMath): void {
    this.startProse({ text: open.source, at: open.key, isFirst: true, isLast: true }, 'paragraph', false, true)
    this.close()
  }

  private startTable(open: OpenProse, header: string, piece: Piece): void {
    const before = open.text.slice(0, Math.max(0, open.text.length - header.length - 1))
    const key = open.key + open.text.length - header.length
    if (before) {
      open.text = before
      this.close()
    }
    this.open = {
      kind: 'table',
      key: before ? key : open.key,
      isContinuation: false,
      head: `${header}\n${piece.text}`,
      segments: [],
      rowCount: 0,
    }
  }

  private startProse(piece: Piece, shape: Shape, isContinuation: boolean, isReplacing = false): void {
    const previous = this.open
    const item = lines.listItem(piece.text)
    let listStart: number | undefined
    if (isContinuation && previous?.kind === 'prose' && previous.shape === 'list' && typeof item === 'number') {
      listStart = previous.listStart === undefined ? item : previous.listStart + previous.items
    } else if (typeof item === 'number') listStart = item
    if (!isReplacing) this.close()
    const dedent = isContinuation && shape === 'list' ? lines.indentOf(piece.text) : 0
    const isSameHtml = isContinuation && previous?.kind === 'prose' && previous.shape === 'html'
    const htmlEnd = isSameHtml ? previous.htmlEnd : shape === 'html' ? lines.htmlBlockEnd(piece.text) : undefined
    this.open = {
      kind: 'prose',
      key: piece.at,
      isContinuation,
      shape,
      text: lines.dedent(piece.text, dedent),
      blanks: 0,
      blankText: '',
      items: shape === 'list' ? 1 : 0,
      listStart,
      dedent,
      htmlEnd,
      nested: shape === 'list' ? nestedFence(piece.text) : undefined,
    }
    if (htmlEnd?.test(isSameHtml ? piece.text : piece.text.slice(4))) this.close()
  }

  private append(open: OpenProse, piece: Piece): void {
    const isItem =
      open.shape === 'list' &&
      !open.nested &&
      lines.listItem(piece.text) !== undefined &&
      lines.indentOf(piece.text) < 2
    const length = open.text.length + piece.text.length
    if (open.nested && length > budget.maxNestedCode) {
      this.leaveList(open, piece)
      return
    }
    if ((isItem && length > budget.listSplit) || (!open.nested && length > budget.maxProse)) {
      this.startProse(piece, open.shape, true)
      return
    }
    if (open.dedent > lines.indentOf(piece.text)) open.dedent = 0
    if (isItem) open.items += 1
    open.text += `${open.blankText}\n${lines.dedent(piece.text, open.dedent)}`
    open.blanks = 0
    open.blankText = ''
    if (open.shape !== 'list') return
    if (open.nested) {
      if (isItem || lines.closesFence(piece.text, open.nested.mark)) open.nested = undefined
    } else open.nested = nestedFence(piece.text)
  }

  /** Code in a list that outgrows it goes on as a code block of its own. */
  private leaveList(open: OpenProse, piece: Piece): void {
    const fence = open.nested
    if (!fence) return
    const code = '\n'.repeat(Math.min(open.blanks, maxBlankLines))
    this.close()
    this.open = { kind: 'code', key: piece.at, isContinuation: true, fence, code, midLine: false }
    this.push(piece)
  }

  private close(isClosed = false): void {
    const open = this.open
    this.open = undefined
    if (!open) return
    this.finished.push(blockOf(open, isClosed))
  }
}
