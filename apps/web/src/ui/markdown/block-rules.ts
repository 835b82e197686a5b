// CommonMark's rules of where a block ends, as far as one line tells.
import * as lines from './lines'
import type { OpenProse } from './open-block'

/** Whether a line goes on with a block of prose. */
export function continuesProse(open: OpenProse, line: string): boolean {
  const indent = lines.indentOf(line)
  switch (open.shape) {
    case 'indented':
      return indent >= 4
    case 'footnote':
      return open.blanks > 0
        ? indent >= 4
        : !/^ {0,3}\[\^/.test(line) && !startsBlock(line) && !lines.interruptsParagraph(line)
    case 'list':
      if (indent >= 2 || lines.listItem(line) !== undefined) return true
      return open.blanks === 0 && !startsBlock(line)
    case 'quote':
      return lines.isQuote(line) || !(startsBlock(line) || lines.interruptsParagraph(line))
    case 'paragraph':
      return indent >= 4 || !(startsBlock(line) || lines.interruptsParagraph(line))
    case 'html':
      return true
  }
}

/** Whether a line is sure to begin another block. */
export function startsBlock(line: string): boolean {
  return (
    lines.isHeading(line) ||
    lines.isQuote(line) ||
    lines.isRule(line) ||
    lines.openingFence(line) !== undefined ||
    lines.openingMath(line) !== undefined ||
    lines.htmlBlockEnd(line) !== undefined ||
    lines.startsHtmlBlock(line)
  )
}
