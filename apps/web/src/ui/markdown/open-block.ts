// The block that is still growing, by kind, and how a line tells which kind begins.
import type { Block } from './blocks'
import * as lines from './lines'

export type Shape = 'paragraph' | 'list' | 'quote' | 'indented' | 'footnote' | 'html'
export type OpenProse = {
  kind: 'prose'
  key: number
  isContinuation: boolean
  shape: Shape
  text: string
  blanks: number
  /** The blank lines themselves: in code that is indented, their white space counts. */
  blankText: string
  items: number
  listStart: number | undefined
  dedent: number
  htmlEnd: RegExp | undefined
  nested: lines.Fence | undefined
}
export type OpenCode = {
  kind: 'code'
  key: number
  isContinuation: boolean
  fence: lines.Fence
  code: string
  midLine: boolean
}
export type OpenMath = {
  kind: 'math'
  key: number
  isContinuation: boolean
  close: string
  source: string
  tex: string
  isInline: boolean
}
export type OpenTable = {
  kind: 'table'
  key: number
  isContinuation: boolean
  head: string
  segments: string[]
  rowCount: number
}
export type OpenPicture = { kind: 'picture'; key: number; isContinuation: boolean; source: string }
export type Open = OpenProse | OpenCode | OpenMath | OpenTable | OpenPicture

export const isDataPicture = (line: string): boolean => /^ {0,3}!\[[^\]]{0,1000}\]\(data:image\//i.test(line)

/** The finished block; `isClosed`: its end was written, not only assumed. */
export function blockOf(open: Open, isClosed: boolean): Block {
  const { key, isContinuation } = open
  switch (open.kind) {
    case 'prose': {
      const { text, listStart } = open
      return {
        kind: 'prose',
        key,
        isContinuation,
        text,
        ...(isContinuation && listStart !== undefined && { listStart }),
      }
    }
    case 'code':
      return { kind: 'code', key, isContinuation, language: open.fence.language, code: open.code, isClosed }
    case 'math':
      return { kind: 'math', key, isContinuation, source: open.source, tex: open.tex, isClosed }
    case 'table': {
      const { head, segments, rowCount } = open
      return { kind: 'table', key, isContinuation, head, segments, rowCount }
    }
    case 'picture':
      return pictureOf(open)
  }
}

function pictureOf({ key, isContinuation, source }: OpenPicture): Block {
  const match = /^ {0,3}!\[([^\]]{0,1000})\]\((data:image\/[^\s)]+)\)[ \t]*$/i.exec(source)
  return match
    ? { kind: 'picture', key, isContinuation, alt: match[1] ?? '', url: match[2] ?? '' }
    : { kind: 'picture', key, isContinuation, alt: /!\[([^\]]*)\]/.exec(source)?.[1] ?? '', url: '' }
}

export function shapeOf(line: string): Shape {
  if (lines.htmlBlockEnd(line) || lines.startsHtmlBlock(line) || lines.isHtmlTag(line)) return 'html'
  if (lines.listItem(line) !== undefined) return 'list'
  if (lines.isQuote(line)) return 'quote'
  if (/^ {0,3}\[\^[^\]\s]{1,100}\]:/.test(line)) return 'footnote'
  return lines.indentOf(line) >= 4 ? 'indented' : 'paragraph'
}

/** Code that opens inside an item: indented below it, or right behind its marker. */
export function nestedFence(line: string): lines.Fence | undefined {
  const marker = /^ {0,3}(?:[-*+]|\d{1,9}[.)])[ \t]+/.exec(line)?.[0] ?? ''
  const fence = lines.openingFence(line.slice(marker.length), 60)
  return fence && { ...fence, indent: fence.indent + marker.length }
}
