import type { Reading } from '../reading'
import { guessHeader, tidyRows } from '../table-shape'
import { attribute, readXml, type XmlAttributes, type XmlHandler } from '../xml'
import type { Zip } from '../zip'
import { type DocxStyle, readDocxStyles } from './docx-styles'
import { readCoreTitle } from './office-title'

/** The text of a Word document in its order, footnotes behind the paragraph that they belong to. */
export async function readDocx(zip: Zip, reading: Reading): Promise<void> {
  await readCoreTitle(zip, reading)
  const styles = await readDocxStyles(zip, reading)
  const notes = new Map<string, string>()
  for (const kind of ['footnote', 'endnote']) await readNotes(zip, kind, reading, notes)
  const found = await readXml(zip, 'word/document.xml', reading, bodyHandler(reading, styles, notes))
  if (!found) reading.notices.add('damaged')
}

type Paragraph = {
  text: string
  style: DocxStyle
  level: number | undefined
  outline: number | undefined
  notes: string[]
}

/** What stands twice for old programs, and what was deleted or only commands a field. */
const skipped = new Set(['Fallback', 'delText', 'instrText', 'delInstrText', 'moveFrom'])

function bodyHandler(reading: Reading, styles: Map<string, DocxStyle>, notes: Map<string, string>): XmlHandler {
  const paragraphs: Paragraph[] = []
  const tables: { rows: string[][]; row: string[]; cell: string; isFirstHeader: boolean }[] = []
  let skipping = 0
  let isText = false
  let page = 1
  let hasPages = false
  let waiting: string[] = []

  const at = () => (hasPages ? { page } : {})
  const write = (text: string) => {
    const paragraph = paragraphs.at(-1)
    if (paragraph) paragraph.text += text
  }

  const endParagraph = () => {
    const paragraph = paragraphs.pop()
    if (!paragraph) return
    const table = tables.at(-1)
    const outer = paragraphs.at(-1)
    if (table) {
      table.cell += `${table.cell === '' ? '' : '\n'}${paragraph.text}`
      waiting.push(...paragraph.notes)
    } else if (outer) outer.text += `\n${paragraph.text}\n`
    else {
      addParagraph(paragraph)
      addNotes(paragraph.notes)
    }
  }

  const addParagraph = ({ text, style, level, outline }: Paragraph) => {
    const heading = outline ?? style.heading
    if (heading !== undefined && text.length < 400) {
      reading.add({ kind: 'heading', level: Math.min(6, heading), text: text.replace(/\s+/g, ' '), ...at() })
    } else if (level !== undefined) reading.add({ kind: 'list-item', level, text, ...at() })
    else reading.add({ kind: style.isCode ? 'code' : 'paragraph', text, ...at() })
  }

  const addNotes = (ids: string[]) => {
    for (const id of ids) {
      const text = notes.get(id)
      if (text) reading.add({ kind: 'footnote', text, ...at() })
    }
  }

  const endTable = () => {
    const table = tables.pop()
    if (!table) return
    const rows = tidyRows(table.rows)
    const outer = tables.at(-1)
    if (outer) outer.cell += `\n${rows.map((row) => row.join(' | ')).join('\n')}`
    else {
      if ((rows[0]?.length ?? 0) > 1)
        reading.add({ kind: 'table', rows, hasHeader: table.isFirstHeader || guessHeader(rows), ...at() })
      else for (const [text = ''] of rows) reading.add({ kind: 'paragraph', text, ...at() })
      addNotes(waiting)
      waiting = []
    }
  }

  const newPage = () => {
    hasPages = true
    reading.beginPage(++page)
  }

  const onOpen = (name: string, attributes: XmlAttributes): void => {
    const paragraph = paragraphs.at(-1)
    const table = tables.at(-1)
    if (name === 'p') paragraphs.push({ text: '', style: {}, level: undefined, outline: undefined, notes: [] })
    else if (name === 'tbl') tables.push({ rows: [], row: [], cell: '', isFirstHeader: false })
    else if (name === 'tr' && table) table.row = []
    else if (name === 'tc' && table) table.cell = ''
    else if (name === 'tblHeader' && table) table.isFirstHeader ||= table.rows.length === 0
    else if (name === 't') isText = true
    else if (name === 'tab') write('\t')
    else if (name === 'br' || name === 'cr') write('\n')
    else if (name === 'noBreakHyphen') write('-')
    else if (name === 'lastRenderedPageBreak') newPage()
    else if (paragraph) onParagraphProperty(name, attributes, paragraph)
  }

  const onParagraphProperty = (name: string, attributes: XmlAttributes, paragraph: Paragraph): void => {
    if (name === 'pStyle') {
      paragraph.style = styles.get(attribute(attributes, 'val') ?? '') ?? {}
      paragraph.level ??= paragraph.style.isList ? 0 : undefined
    } else if (name === 'outlineLvl') {
      const level = Number(attribute(attributes, 'val'))
      if (level >= 0 && level < 9) paragraph.outline = level + 1
    } else if (name === 'ilvl') paragraph.level = Math.min(8, Number(attribute(attributes, 'val')) || 0)
    else if (name === 'numId') {
      paragraph.level = attribute(attributes, 'val') === '0' ? undefined : (paragraph.level ?? 0)
    } else if (name === 'footnoteReference' || name === 'endnoteReference') {
      paragraph.notes.push(`${name.startsWith('f') ? 'footnote' : 'endnote'} ${attribute(attributes, 'id')}`)
    }
  }

  return {
    open(name, attributes) {
      if (skipping > 0 || skipped.has(name)) skipping++
      else onOpen(name, attributes)
    },
    text(text) {
      if (skipping === 0 && isText) write(text)
    },
    close(name) {
      if (skipping > 0) {
        skipping--
        return
      }
      const table = tables.at(-1)
      if (name === 't') isText = false
      else if (name === 'p') endParagraph()
      else if (name === 'tc') table?.row.push(table.cell)
      else if (name === 'tr') table?.rows.push(table.row)
      else if (name === 'tbl') endTable()
    },
  }
}

async function readNotes(zip: Zip, kind: string, reading: Reading, notes: Map<string, string>): Promise<void> {
  let id = ''
  let text = ''
  let isText = false
  await readXml(zip, `word/${kind}s.xml`, reading, {
    open(name, attributes) {
      if (name === kind) {
        id = attribute(attributes, 'type') ? '' : (attribute(attributes, 'id') ?? '')
        text = ''
      } else if (name === 't') isText = true
      else if (name === 'tab' || name === 'br') text += ' '
    },
    text(piece) {
      if (isText && text.length < 100_000) text += piece
    },
    close(name) {
      if (name === 't') isText = false
      else if (name === 'p') text += '\n'
      else if (name === kind && id !== '') notes.set(`${kind} ${id}`, text.trim())
    },
  })
}
