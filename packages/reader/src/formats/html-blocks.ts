import { AppError } from '@parley/contract/errors'
import type { DocumentBlock } from '@parley/contract/read-document'
import { Parser } from 'htmlparser2'
import { bounds } from '../bounds'
import { guessHeader } from '../table-shape'

/** Where a block stands: what a page is about, or what is on every page of its site. */
export type Region = 'main' | 'aside' | 'plain'

const skipped = new Set(
  'script style template noscript svg iframe object canvas head title select button datalist audio video'.split(' '),
)
const boilerplate = new Set(['nav', 'footer', 'aside', 'menu', 'dialog'])
const boilerplateRoles = new Set(['navigation', 'banner', 'contentinfo', 'complementary', 'search', 'dialog', 'menu'])
const main = new Set(['main', 'article'])
const breaking = new Set(
  (
    'address article aside blockquote body caption center dd details div dl dt fieldset figcaption figure footer form ' +
    'header hr html legend main menu nav ol p section summary ul'
  ).split(' '),
)
const maxHtmlDepth = 4_000

type Table = { rows: string[][]; cell: string[] | undefined; isLayout: boolean; hasHead: boolean }

/**
 * Reads HTML as it comes and hands on its blocks. Scripts do not run and nothing is loaded: only text is looked at.
 * `isXml` for the strict spelling that EPUB uses.
 */
export function htmlParser(
  onBlock: (block: DocumentBlock, region: Region) => void,
  { isXml = false, onTitle }: { isXml?: boolean; onTitle?: (title: string) => void } = {},
): { write(text: string): void; end(): void } {
  const open: { name: string; region: Region; isSkipped: boolean; isNote: boolean }[] = []
  const tables: Table[] = []
  let lists = 0
  let text = ''
  let title = ''
  let heading = 0
  let isItem = false
  let code = 0

  const top = () => open.at(-1)
  const region = (): Region => top()?.region ?? 'plain'

  const flush = (): void => {
    const table = tables.at(-1)
    if (table?.cell && !table.isLayout) return
    const content = text
    text = ''
    if (content.trim() === '') return
    onBlock(blockOf(content), region())
    isItem = false
  }

  const blockOf = (content: string): DocumentBlock => {
    if (code > 0) return { kind: 'code', text: content }
    if (heading > 0) return { kind: 'heading', level: heading, text: oneLine(content) }
    if (top()?.isNote) return { kind: 'footnote', text: content }
    if (isItem) return { kind: 'list-item', level: Math.max(0, lists - 1), text: content }
    return { kind: 'paragraph', text: content }
  }

  /** A table in a cell: the outer one only places things on the page. */
  const spillTables = (): void => {
    for (const table of tables) {
      if (table.isLayout) continue
      const cells = [...table.rows.flat(), ...(table.cell ?? []), text]
      table.isLayout = true
      text = ''
      for (const cell of cells) if (cell.trim()) onBlock({ kind: 'paragraph', text: cell }, region())
    }
  }

  const endTable = (): void => {
    const table = tables.pop()
    if (!table) return
    if (!table.isLayout && table.rows.length > 0) {
      const columns = Math.max(...table.rows.map((row) => row.length))
      const hasHeader = table.hasHead || guessHeader(table.rows)
      if (columns > 1) onBlock({ kind: 'table', rows: table.rows, hasHeader }, region())
      else for (const [cell = ''] of table.rows) onBlock({ kind: 'paragraph', text: cell }, region())
    }
    text = ''
  }

  const endCell = (): void => {
    const table = tables.at(-1)
    if (!table?.cell) return
    if (table.isLayout) flush()
    else if (table.cell.length < bounds.maxColumns) table.cell.push(oneLine(text))
    text = ''
  }

  const endRow = (): void => {
    const table = tables.at(-1)
    if (table?.cell && !table.isLayout && table.cell.length > 0) table.rows.push(table.cell)
    if (table) table.cell = undefined
  }

  const onOpen = (name: string, attributes: Record<string, string>): void => {
    if (open.length > maxHtmlDepth) throw new AppError('source.damaged')
    const outer = top()
    const type = attributes['epub:type'] ?? attributes.role ?? ''
    const isHidden =
      'hidden' in attributes || attributes['aria-hidden'] === 'true' || /display:\s*none/.test(attributes.style ?? '')
    const next = {
      name,
      region: regionOf(name, type, outer?.region ?? 'plain'),
      isSkipped: (outer?.isSkipped ?? false) || skipped.has(name) || (isHidden && name !== 'body'),
      isNote: (outer?.isNote ?? false) || /\b(?:foot|end|rear)notes?\b|doc-(?:foot|end)note/.test(type),
    }
    if (/^h[1-6]$/.test(name) || breaking.has(name) || name === 'li' || name === 'pre' || name === 'table') flush()
    open.push(next)
    if (next.isSkipped) return
    if (/^h[1-6]$/.test(name)) heading = Number(name[1])
    else if (name === 'ul' || name === 'ol') lists++
    else if (name === 'li') isItem = true
    else if (name === 'pre') code++
    else if (name === 'br') text += '\n'
    else if (name === 'img' && attributes.alt) text += ` ${attributes.alt} `
    else if (name === 'table') {
      if (tables.length > 0) spillTables()
      tables.push({ rows: [], cell: undefined, isLayout: tables.length > 20, hasHead: false })
    } else onOpenInTable(name)
    if (breaking.has(name) && text !== '' && !text.endsWith('\n')) text += '\n'
  }

  const onOpenInTable = (name: string): void => {
    const table = tables.at(-1)
    if (!table) return
    if (name === 'tr') {
      endRow()
      table.cell = []
    } else if (name === 'td' || name === 'th') {
      table.cell ??= []
      text = ''
    } else if (name === 'thead') table.hasHead = true
  }

  const onClose = (name: string): void => {
    const closed = top()
    if (closed?.isSkipped) {
      open.pop()
      if (name === 'title' && open.every((each) => each.name !== 'svg')) onTitle?.(oneLine(title))
      return
    }
    if (/^h[1-6]$/.test(name)) {
      flush()
      heading = 0
    } else if (name === 'pre') {
      flush()
      code = Math.max(0, code - 1)
    } else if (name === 'ul' || name === 'ol') {
      flush()
      lists = Math.max(0, lists - 1)
    } else if (name === 'li') {
      flush()
      isItem = false
    } else if (name === 'td' || name === 'th') endCell()
    else if (name === 'tr') endRow()
    else if (name === 'table') {
      endRow()
      endTable()
    } else if (breaking.has(name)) flush()
    open.pop()
  }

  const parser = new Parser(
    {
      onopentag: onOpen,
      onclosetag: onClose,
      ontext(piece) {
        if (top()?.name === 'title') title = (title + piece).slice(0, 1_000)
        if (top()?.isSkipped) return
        // A block as long as a document may be is no block: it is handed on in parts.
        if (text.length > 1_000_000) flush()
        text += code > 0 ? piece : piece.replace(/\s+/g, ' ')
      },
    },
    isXml ? { xmlMode: true, decodeEntities: true } : { decodeEntities: true },
  )
  return {
    write: (piece) => parser.write(piece),
    end() {
      parser.end()
      while (tables.length > 0) endTable()
      flush()
    },
  }
}

function regionOf(name: string, type: string, outer: Region): Region {
  if (outer === 'aside' || boilerplate.has(name) || boilerplateRoles.has(type)) return 'aside'
  return main.has(name) || type === 'main' ? 'main' : outer
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()
