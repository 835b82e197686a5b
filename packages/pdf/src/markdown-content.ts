import { lexer, type Token, type Tokens } from 'marked'
import type { DrawFormula } from './math-svg'
import { mathText } from './math-text'
import { colours, sizes } from './pdf-style'
import { cleanText, type TextRun, type TextRuns, type TextStyle } from './text-runs'

export type Content = { [key: string]: unknown }

const maxDepth = 8
const maxRows = 1_000
const maxCharacters = 400_000
const maxWord = 60

type Context = { runs: TextRuns; drawFormula: DrawFormula | undefined; cutNote: string }

/** Markdown as PDF content, made from its tokens: no HTML is read or written, and nothing is fetched. */
export function markdownContent(markdown: string, context: Context): Content[] {
  const isCut = markdown.length > maxCharacters
  const text = bounded(isCut ? markdown.slice(0, maxCharacters) : markdown)
  const content = text
    .split(displayFormula)
    .flatMap((part, index) => (index % 2 === 1 ? formula(part, context) : blocks(lexer(part), context, 0)))
  return isCut ? [...content, note(context)] : content
}

/** Splits at `$$…$$` and `\[…\]`; odd parts are formulas. */
const displayFormula = /^[ \t]*(?:\$\$|\\\[)([\s\S]+?)(?:\$\$|\\\])[ \t]*$/m

/** Nesting that no person wrote would exhaust the stack of a parser that follows it. */
function bounded(markdown: string): string {
  return cleanText(markdown)
    .replace(/^([ \t]*>[ \t]?){12,}/gm, '> > > > ')
    .replace(/^ {40,}(?=[-*+\d])/gm, ' '.repeat(40))
    .replace(/([*_~`[\](){}])\1{19,}/g, (run) => run.slice(0, 20))
}

function formula(tex: string, { runs, drawFormula }: Context): Content[] {
  const svg = drawFormula?.(tex.trim())
  if (svg) return [{ svg, alignment: 'center', margin: [0, 6, 0, 6] }]
  return [{ text: runs.of(tex.trim(), { family: 'mono' }), fontSize: sizes.code, margin: [0, 4, 0, 4] }]
}

function note({ runs, cutNote }: Context): Content {
  return { text: runs.of(cutNote, { italics: true, color: colours.faint }), margin: [0, 4, 0, 4] }
}

function blocks(tokens: Token[], context: Context, depth: number): Content[] {
  return tokens.flatMap((token) => block(token, context, depth))
}

function block(token: Token, context: Context, depth: number): Content[] {
  const { runs } = context
  if (depth > maxDepth) return [{ text: runs.of(token.raw.slice(0, 2_000)) }]
  const { type } = token
  if (isA<Tokens.Heading>(token, 'heading')) {
    const size = [16, 14, 12.5, 11.5, 11, 11][token.depth - 1] ?? 11
    return [
      {
        text: inline(token.tokens, context, { bold: true }),
        fontSize: size,
        margin: [0, 10, 0, 4],
        headlineLevel: token.depth,
      },
    ]
  }
  if (isA<Tokens.Paragraph>(token, 'paragraph')) return [{ text: inline(token.tokens, context), margin: [0, 0, 0, 7] }]
  if (isA<Tokens.Text>(token, 'text'))
    return [{ text: token.tokens ? inline(token.tokens, context) : runs.of(token.text), margin: [0, 0, 0, 3] }]
  if (isA<Tokens.Code>(token, 'code')) return [codeBlock(token, context)]
  if (isA<Tokens.List>(token, 'list')) return [list(token, context, depth)]
  if (isA<Tokens.Table>(token, 'table')) return table(token, context)
  if (isA<Tokens.Blockquote>(token, 'blockquote')) return [quote(token, context, depth)]
  if (type === 'hr')
    return [
      {
        canvas: [{ type: 'line', x1: 0, y1: 4, x2: 515, y2: 4, lineWidth: 0.5, lineColor: colours.line }],
        margin: [0, 4, 0, 8],
      },
    ]
  if (type === 'space' || type === 'def') return []
  return [{ text: runs.of(token.raw), margin: [0, 0, 0, 7] }]
}

function codeBlock(token: Tokens.Code, { runs }: Context): Content {
  const lines = softened(token.text, 92)
  const body: Content[] = token.lang
    ? [
        {
          text: runs.of(token.lang.split(/\s/)[0] ?? '', { color: colours.faint }),
          fontSize: 7.5,
          margin: [0, 0, 0, 3],
        },
      ]
    : []
  body.push({
    text: runs.of(lines, { family: 'mono' }),
    fontSize: sizes.code,
    lineHeight: 1.25,
    preserveLeadingSpaces: true,
  })
  return {
    table: {
      widths: ['*'],
      body: [[{ stack: body, fillColor: colours.codeBackground, margin: [6, 5, 6, 5] }]],
      dontBreakRows: false,
    },
    layout: frame,
    margin: [0, 2, 0, 9],
  }
}

function list(token: Tokens.List, context: Context, depth: number): Content {
  const items = token.items.map((item) => {
    const content = blocks(
      item.tokens.filter(({ type }) => type !== 'checkbox'),
      context,
      depth + 1,
    )
    if (!item.task) return { stack: content }
    const box = context.runs.of(item.checked ? '[x] ' : '[ ] ', { family: 'mono' })
    const [first, ...rest] = content
    return {
      stack: [{ ...first, text: [...box, ...(Array.isArray(first?.text) ? first.text : [])] }, ...rest],
      listType: 'none',
    }
  })
  return token.ordered
    ? { ol: items, start: Number(token.start) || 1, margin: [0, 0, 0, 6] }
    : { ul: items, margin: [0, 0, 0, 6] }
}

function table(token: Tokens.Table, context: Context): Content[] {
  const columns = token.header.length
  const cell = ({ tokens }: Tokens.TableCell, index: number, bold: boolean): Content => ({
    text: inline(tokens, context, bold ? { bold } : {}),
    alignment: token.align[index] ?? 'left',
    ...(bold ? { fillColor: colours.codeBackground } : {}),
  })
  const rows = token.rows
    .slice(0, maxRows)
    .map((row) => Array.from({ length: columns }, (_, index) => (row[index] ? cell(row[index], index, false) : {})))
  const content: Content = {
    table: {
      headerRows: 1,
      widths: Array.from({ length: columns }, () => (columns > 6 ? '*' : 'auto')),
      body: [token.header.map((each, index) => cell(each, index, true)), ...rows],
    },
    layout: lines,
    fontSize: columns > 8 ? 6.5 : columns > 5 ? 8 : 9.5,
    margin: [0, 2, 0, 9],
  }
  return token.rows.length > maxRows ? [content, note(context)] : [content]
}

function quote(token: Tokens.Blockquote, context: Context, depth: number): Content {
  return {
    table: {
      widths: ['*'],
      body: [[{ stack: blocks(token.tokens, context, depth + 1), color: colours.soft, margin: [8, 2, 0, 0] }]],
    },
    layout: {
      hLineWidth: () => 0,
      vLineWidth: (index: number) => (index === 0 ? 2 : 0),
      vLineColor: () => colours.line,
    },
    margin: [0, 2, 0, 7],
  }
}

function inline(tokens: Token[], context: Context, style: TextStyle = {}, depth = 0): TextRun[] {
  const { runs } = context
  const inner = (token: { tokens?: Token[]; text: string }, more: TextStyle): TextRun[] =>
    token.tokens && depth < maxDepth
      ? inline(token.tokens, context, { ...style, ...more }, depth + 1)
      : runs.of(token.text, { ...style, ...more })
  return tokens.flatMap((token): TextRun[] => {
    if (isA<Tokens.Strong>(token, 'strong')) return inner(token, { bold: true })
    if (isA<Tokens.Em>(token, 'em')) return inner(token, { italics: true })
    if (isA<Tokens.Del>(token, 'del')) return inner(token, { decoration: 'lineThrough' })
    if (isA<Tokens.Codespan>(token, 'codespan'))
      return runs.of(token.text, { ...style, family: 'mono', fontSize: sizes.code, background: colours.codeBackground })
    if (isA<Tokens.Link>(token, 'link'))
      return inner(token, isSafe(token.href) ? { link: token.href, color: colours.link } : {})
    if (isA<Tokens.Image>(token, 'image'))
      return runs.of(`[${token.text || 'image'}: ${softened(token.href.slice(0, 300), maxWord)}]`, {
        ...style,
        color: colours.faint,
      })
    if (token.type === 'br') return runs.of('\n', style)
    if (isA<Tokens.Escape>(token, 'escape')) return runs.of(token.text, style)
    if (isA<Tokens.Text>(token, 'text')) return withFormulas(token.text, context, style)
    return runs.of(token.raw, style)
  })
}

/** `$…$` within a line, where it is a formula and not two prices. */
function withFormulas(text: string, { runs }: Context, style: TextStyle): TextRun[] {
  const parts = unescaped(text).split(/\$(?=\S)([^$\n]{1,500}?)(?<=\S)\$(?!\d)/)
  return parts.flatMap((part, index) =>
    index % 2 === 1
      ? runs.of(mathText(part), { ...style, italics: true })
      : runs.of(softened(part, maxWord * 4), style),
  )
}

/** Tokens carry text in which HTML's special characters are written out. */
function unescaped(text: string): string {
  return text.replace(
    /&(lt|gt|amp|quot|#39);/g,
    (_all, name: string) => ({ lt: '<', gt: '>', amp: '&', quot: '"', '#39': "'" })[name] ?? '',
  )
}

/** Breaks lines and words that are longer than a line of the page, which the layout could only cut off. */
function softened(text: string, width: number): string {
  return text.replace(new RegExp(`\\S{${width}}(?=\\S)`, 'gu'), '$&\n')
}

function isSafe(href: string): boolean {
  return /^(https?:|mailto:)/i.test(href)
}

function isA<T extends Token>(token: Token, type: T['type']): token is T {
  return token.type === type
}

const frame = {
  hLineWidth: () => 0.5,
  vLineWidth: () => 0.5,
  hLineColor: () => colours.line,
  vLineColor: () => colours.line,
}
const lines = {
  hLineWidth: () => 0.5,
  vLineWidth: () => 0,
  hLineColor: () => colours.line,
  paddingTop: () => 4,
  paddingBottom: () => 4,
}
