/** What a line of Markdown starts, as CommonMark and GFM have it. Every pattern is linear in the line's length. */

export const isBlank = (line: string): boolean => !/\S/.test(line)

/** Columns of white space before the text; a tab goes to the next multiple of four. */
export function indentOf(line: string): number {
  let columns = 0
  for (const char of line) {
    if (char === ' ') columns += 1
    else if (char === '\t') columns += 4 - (columns % 4)
    else break
  }
  return columns
}

export function dedent(line: string, columns: number): string {
  let from = 0
  let left = columns
  while (left > 0 && (line[from] === ' ' || line[from] === '\t')) {
    left -= line[from] === '\t' ? 4 : 1
    from += 1
  }
  return line.slice(from)
}

export type Fence = { mark: string; indent: number; language: string }

export function openingFence(line: string, maxIndent = 3): Fence | undefined {
  const match = /^([ \t]*)(`{3,}|~{3,})(.*)$/.exec(line)
  if (!match) return undefined
  const [, space = '', mark = '', info = ''] = match
  if (indentOf(space) > maxIndent || (mark.startsWith('`') && info.includes('`'))) return undefined
  return { mark, indent: indentOf(space), language: /^[\w+#.-]{1,40}/.exec(info.trim())?.[0] ?? '' }
}

export function closesFence(line: string, mark: string): boolean {
  const text = line.trim()
  return text.length >= mark.length && text === mark.charAt(0).repeat(text.length)
}

export const isHeading = (line: string): boolean => /^ {0,3}#{1,6}(?:[ \t]|$)/.test(line)
export const isQuote = (line: string): boolean => /^ {0,3}>/.test(line)
export const isSetextUnderline = (line: string): boolean => /^ {0,3}(?:-+|=+)[ \t]*$/.test(line)

export function isRule(line: string): boolean {
  const text = line.replace(/[ \t]/g, '')
  return text.length >= 3 && indentOf(line) < 4 && /^[-*_]/.test(text) && text === text.charAt(0).repeat(text.length)
}

/** The number of an ordered item, 'bullet', or undefined when the line starts no item. */
export function listItem(line: string): number | 'bullet' | undefined {
  const match = /^ {0,3}(?:[-*+]|(\d{1,9})[.)])(?:[ \t]|$)/.exec(line)
  if (!match || isRule(line)) return undefined
  return match[1] === undefined ? 'bullet' : Number(match[1])
}

/** Only these may end a paragraph without a blank line between (CommonMark 5.2). */
export function interruptsParagraph(line: string): boolean {
  const item = listItem(line)
  return (item === 'bullet' || item === 1) && /^[ \t]*\S+[ \t]+\S/.test(line)
}

/** The text that ends an HTML block which may hold blank lines; undefined when the line starts none. */
export function htmlBlockEnd(line: string): RegExp | undefined {
  if (/^ {0,3}<(?:script|pre|style|textarea)(?:[\s>]|$)/i.test(line)) return /<\/(?:script|pre|style|textarea)>/i
  if (/^ {0,3}<!--/.test(line)) return /-->/
  if (/^ {0,3}<\?/.test(line)) return /\?>/
  if (/^ {0,3}<!\[CDATA\[/.test(line)) return /\]\]>/
  return /^ {0,3}<![a-z]/i.test(line) ? />/ : undefined
}

const htmlBlockNames =
  'address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|' +
  'frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|' +
  'tbody|td|tfoot|th|thead|title|tr|track|ul'
const htmlBlock = new RegExp(`^ {0,3}</?(?:${htmlBlockNames})(?:[ \\t]|/?>|$)`, 'i')

/** HTML that goes on to the next blank line and may end a paragraph (CommonMark 4.6, the sixth kind). */
export const startsHtmlBlock = (line: string): boolean => htmlBlock.test(line)

const attribute = String.raw`[ \t]+[a-z_:][\w.:-]*(?:[ \t]*=[ \t]*(?:[^\s"'=<>\x60]+|'[^']*'|"[^"]*"))?`
const htmlTag = new RegExp(
  String.raw`^ {0,3}(?:<[a-z][a-z0-9-]*(?:${attribute})*[ \t]*/?>|</[a-z][a-z0-9-]*[ \t]*>)[ \t]*$`,
  'i',
)

/** A tag alone on its line: HTML to the next blank line, but only where no paragraph is open (the seventh kind). */
export const isHtmlTag = (line: string): boolean => line.trimStart().startsWith('<') && htmlTag.test(line)

/** An opened display formula: `$$` or `\[` at the start of a line. `rest` is what follows on that line. */
export function openingMath(line: string): { close: string; rest: string } | undefined {
  const match = /^ {0,3}(\$\$|\\\[)([\s\S]*)$/.exec(line)
  if (!match) return undefined
  const close = match[1] === '$$' ? '$$' : '\\]'
  const rest = (match[2] ?? '').trim()
  const end = rest.indexOf(close)
  // "$$a$$ and more" is a sentence with a formula in it.
  if (end !== -1 && end !== rest.length - 2) return undefined
  return { close, rest }
}

export function isTableStart(header: string, delimiter: string): boolean {
  if (!header.includes('|') || !delimiter.includes('|') || indentOf(header) > 3) return false
  if (!/^ {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/.test(delimiter)) return false
  return cellCount(header) === cellCount(delimiter)
}

function cellCount(row: string): number {
  const inner = row
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '')
  return inner.split(/(?<!\\)\|/).length
}
