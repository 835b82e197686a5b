import type { Reading } from '../reading'
import { guessHeader, tidyRows } from '../table-shape'

const levels: Record<string, number> = {
  ...{ part: 1, chapter: 1, section: 2, subsection: 3, subsubsection: 4, paragraph: 5, subparagraph: 6, title: 1 },
}
const headingCommand = /\\(part|chapter|(?:sub){0,2}section|(?:sub)?paragraph|title)\*?\s*(?:\[[^\]]*\])?\s*\{/y
const codeEnvironments = new Set(['verbatim', 'lstlisting', 'minted', 'verbatim*'])
const tableEnvironments = new Set(['tabular', 'tabular*', 'tabularx', 'longtable'])

/** TeX by its usual commands: headings, lists, tables, footnotes; formulas stay as they were written. */
export async function readTex(text: string, reading: Reading): Promise<void> {
  const source = text.replace(/\r\n?/g, '\n')
  const begin = source.indexOf('\\begin{document}')
  const title = /\\title\s*\{([^{}]{1,500})\}/.exec(source)?.[1]
  if (title) reading.title = plainTex(title)
  let lists = 0
  for (const part of partsOf(begin < 0 ? source : source.slice(begin + 16))) {
    await reading.breathe()
    if (part.kind === 'code') reading.add({ kind: 'code', text: part.text })
    else if (part.kind === 'table') addTable(part.text, reading)
    else {
      for (const paragraph of uncommented(part.text).split(
        /\n\s*\n|(?=\\item\b)|(?=\\(?:sub){0,2}section\b|\\chapter\b)/,
      )) {
        lists += (paragraph.match(/\\begin\{(?:itemize|enumerate|description)\}/g) ?? []).length
        addParagraph(paragraph, lists, reading)
        lists = Math.max(0, lists - (paragraph.match(/\\end\{(?:itemize|enumerate|description)\}/g) ?? []).length)
      }
    }
  }
}

type Part = { kind: 'text' | 'code' | 'table'; text: string }

/** What stands between `\begin` and `\end` of code and tables, and the text around it. */
function* partsOf(source: string): Generator<Part> {
  let at = 0
  const opening = /\\begin\{([a-z]+\*?)\}/g
  for (let match = opening.exec(source); match; match = opening.exec(source)) {
    const name = match[1] ?? ''
    const kind = codeEnvironments.has(name) ? 'code' : tableEnvironments.has(name) ? 'table' : undefined
    if (!kind) continue
    const end = source.indexOf(`\\end{${name}}`, opening.lastIndex)
    if (end < 0) break
    yield { kind: 'text', text: source.slice(at, match.index) }
    yield { kind, text: source.slice(opening.lastIndex, end) }
    at = end + name.length + 6
    opening.lastIndex = at
  }
  yield { kind: 'text', text: source.slice(at) }
}

function addParagraph(paragraph: string, lists: number, reading: Reading): void {
  const trimmed = paragraph.trim()
  headingCommand.lastIndex = 0
  const heading = headingCommand.exec(trimmed)
  if (heading) {
    const { content, end } = argumentAt(trimmed, headingCommand.lastIndex)
    reading.add({ kind: 'heading', level: levels[heading[1] ?? ''] ?? 2, text: plainTex(content) })
    addParagraph(trimmed.slice(end), lists, reading)
    return
  }
  const notes: string[] = []
  const text = plainTex(withoutNotes(trimmed, notes))
  const item = /^\\item\b/.test(trimmed)
  if (item) reading.add({ kind: 'list-item', level: Math.min(8, Math.max(0, lists - 1)), text })
  else reading.add({ kind: 'paragraph', text })
  for (const note of notes) reading.add({ kind: 'footnote', text: plainTex(note) })
}

function addTable(text: string, reading: Reading): void {
  const rows = uncommented(text)
    .replace(/^\s*(?:\[[^\]]*\])?(?:\{[^{}]*\})?\s*\{(?:[^{}]|\{[^{}]*\})*\}/, '')
    .replace(/\\(?:hline|toprule|midrule|bottomrule|cline\{[^}]*\}|endhead|endfirsthead)/g, '')
    .split(/\\\\(?:\[[^\]]*\])?/)
    .map((row) => row.split(/(?<!\\)&/).map((cell) => plainTex(cell)))
  const table = tidyRows(rows.filter((row) => row.some((cell) => cell !== '')))
  if (table.length > 0) reading.add({ kind: 'table', rows: table, hasHeader: guessHeader(table) })
}

const uncommented = (text: string): string => text.replace(/(?<!\\)%.*$/gm, '')

function withoutNotes(text: string, notes: string[]): string {
  const command = /\\footnote\s*\{/g
  let rest = ''
  let at = 0
  for (let match = command.exec(text); match; match = command.exec(text)) {
    const { content, end } = argumentAt(text, command.lastIndex)
    notes.push(content)
    rest += text.slice(at, match.index)
    at = end
    command.lastIndex = end
  }
  return rest + text.slice(at)
}

/** From behind an opening brace to the one that closes it. */
function argumentAt(text: string, from: number): { content: string; end: number } {
  let depth = 1
  for (let at = from; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === '{') depth++
    else if (text[at] === '}' && --depth === 0) return { content: text.slice(from, at), end: at + 1 }
  }
  return { content: text.slice(from), end: text.length }
}

const marks: Record<string, string> = {
  "'": '\u0301',
  '`': '\u0300',
  '^': '\u0302',
  '~': '\u0303',
  '"': '\u0308',
  c: '\u0327',
}

/** Words instead of commands; between dollar signs nothing changes. */
function plainTex(text: string): string {
  return text
    .replace(/\\([`'^~"])\s*\{?\\?([A-Za-z])\}?/g, (_, mark: string, letter: string) => letter + (marks[mark] ?? ''))
    .replace(/\\c\s*\{([A-Za-z])\}/g, `$1${marks.c}`)
    .replace(
      /\\(?:begin|end)\{[^}]*\}(?:\[[^\]]*\])?|\\(?:label|cite[a-z]*|ref|pageref|index|vspace|hspace|includegraphics(?:\[[^\]]*\])?)\*?\{[^}]*\}/g,
      ' ',
    )
    .replace(/\\item\b\s*(?:\[([^\]]*)\])?/g, '$1 ')
    .replace(/\\href\{([^}]*)\}\{([^}]*)\}/g, '$2 ($1)')
    .replace(/\\(?:text[a-z]+|emph|underline|mbox|caption|url|author|date|title)\*?\s*\{([^{}]*)\}/g, '$1')
    .replace(
      /\\(?:maketitle|tableofcontents|centering|noindent|newpage|clearpage|bigskip|medskip|smallskip|par|item)\b/g,
      ' ',
    )
    .replace(/\\\\/g, '\n')
    .replace(/\\([%&#_{}$])/g, '$1')
    .replace(/---/g, '—')
    .replace(/(?<!-)--(?!-)/g, '–')
    .replace(/``|''/g, '"')
    .replace(/~/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}
