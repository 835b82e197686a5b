import { AppError } from '@parley/contract/errors'
import { bounds } from '../bounds'
import type { Reading } from '../reading'
import { guessHeader, tidyRows } from '../table-shape'
import { attribute, readXml, type XmlAttributes, type XmlHandler } from '../xml'
import type { Zip } from '../zip'
import { readCoreTitle } from './office-title'
import { blocksOfSheet } from './sheet-blocks'

/** The text of an OpenDocument file: a text, a presentation or a spreadsheet. */
export async function readOdf(zip: Zip, reading: Reading): Promise<void> {
  await refuseEncrypted(zip, reading)
  await readCoreTitle(zip, reading, 'meta.xml')
  const found = await readXml(zip, 'content.xml', reading, contentHandler(reading))
  if (!found) reading.notices.add('damaged')
}

/** Its entries are encrypted one by one; the manifest tells. */
async function refuseEncrypted(zip: Zip, reading: Reading): Promise<void> {
  await readXml(zip, 'META-INF/manifest.xml', reading, {
    open(name) {
      if (name === 'encryption-data') throw new AppError('source.protected')
    },
  })
}

const skipped = new Set(['tracked-changes', 'annotation', 'annotation-end', 'forms', 'scripts', 'font-face-decls'])

type Table = {
  rows: string[][]
  row: string[]
  rowRepeats: number
  cell: string
  cellRepeats: number
  isSheet: boolean
}
type Text = { text: string; heading: number | undefined }

function contentHandler(reading: Reading): XmlHandler {
  const texts: Text[] = []
  const tables: Table[] = []
  const notes: string[] = []
  let skipping = 0
  let lists = 0
  let inNote = 0
  let page: number | undefined
  let isSheetFile = false
  let cells = 0

  const at = () => (page === undefined ? {} : { page })
  const write = (text: string) => {
    const last = texts.at(-1)
    if (last) last.text += text
  }
  const newPage = (number: number) => {
    page = number
    reading.beginPage(number)
  }

  const endText = () => {
    const ended = texts.pop()
    if (!ended) return
    const table = tables.at(-1)
    if (inNote > 0) notes[notes.length - 1] += `${ended.text} `
    else if (table) table.cell += `${table.cell === '' ? '' : '\n'}${ended.text}`
    else {
      const { text, heading } = ended
      if (heading !== undefined) reading.add({ kind: 'heading', level: heading, text, ...at() })
      else if (lists > 0) reading.add({ kind: 'list-item', level: Math.min(8, lists - 1), text, ...at() })
      else reading.add({ kind: 'paragraph', text, ...at() })
      if (texts.length === 0) addNotes()
    }
  }

  const addNotes = () => {
    for (const text of notes.splice(0)) reading.add({ kind: 'footnote', text, ...at() })
  }

  const endCell = (table: Table) => {
    const repeats = table.cell === '' ? table.cellRepeats : Math.min(table.cellRepeats, 64)
    for (let n = 0; n < repeats && table.row.length < bounds.maxColumns; n++) table.row.push(table.cell)
    table.cell = ''
  }

  const endRow = (table: Table) => {
    const row = table.row.slice(0, table.row.findLastIndex((cell) => cell !== '') + 1)
    // Files repeat the empty rows down to the last one there may be.
    const repeats = row.length === 0 ? 1 : Math.min(table.rowRepeats, 64)
    for (let n = 0; n < repeats && cells <= bounds.maxCells; n++) {
      cells += row.length + 1
      table.rows.push(row)
    }
    if (cells > bounds.maxCells) reading.notices.add('first-text')
    table.row = []
  }

  const endTable = () => {
    const table = tables.pop()
    if (!table) return
    const outer = tables.at(-1)
    if (table.isSheet) for (const block of blocksOfSheet(table.rows, page ?? 1)) reading.add(block)
    else if (outer) outer.cell += `\n${table.rows.map((row) => row.join(' | ')).join('\n')}`
    else {
      const rows = tidyRows(table.rows)
      if ((rows[0]?.length ?? 0) > 1) reading.add({ kind: 'table', rows, hasHeader: guessHeader(rows), ...at() })
      else for (const [text = ''] of rows) reading.add({ kind: 'paragraph', text, ...at() })
    }
    addNotes()
  }

  const beginTable = (attributes: XmlAttributes) => {
    const isSheet = isSheetFile && tables.length === 0
    if (isSheet) {
      newPage((page ?? 0) + 1)
      reading.add({ kind: 'heading', level: 1, text: attribute(attributes, 'name') ?? '', ...at() })
    }
    tables.push({ rows: [], row: [], rowRepeats: 1, cell: '', cellRepeats: 1, isSheet })
  }

  const onOpen = (name: string, attributes: XmlAttributes): void => {
    const table = tables.at(-1)
    const count = (key: string) => Math.max(1, Number(attribute(attributes, key)) || 1)
    if (name === 'spreadsheet') isSheetFile = true
    else if (name === 'page') newPage((page ?? 0) + 1)
    else if (name === 'soft-page-break') newPage((page ?? 1) + 1)
    else if (name === 'p') texts.push({ text: '', heading: isTitle(attributes) ? 1 : undefined })
    else if (name === 'h') texts.push({ text: '', heading: Math.min(6, count('outline-level')) })
    else if (name === 'list') lists++
    else if (name === 's') write(' '.repeat(Math.min(100, count('c'))))
    else if (name === 'tab') write('\t')
    else if (name === 'line-break') write('\n')
    else if (name === 'note-body') {
      inNote++
      notes.push('')
    } else if (name === 'table') beginTable(attributes)
    else if (name === 'table-row' && table) table.rowRepeats = count('number-rows-repeated')
    else if ((name === 'table-cell' || name === 'covered-table-cell') && table) {
      table.cell = ''
      table.cellRepeats = count('number-columns-repeated')
    }
  }

  const onClose = (name: string): void => {
    const table = tables.at(-1)
    if (name === 'p' || name === 'h') endText()
    else if (name === 'list') lists--
    else if (name === 'note-body') inNote--
    else if (name === 'table') endTable()
    else if (name === 'table-row' && table) endRow(table)
    else if ((name === 'table-cell' || name === 'covered-table-cell') && table) endCell(table)
  }

  return {
    open(name, attributes) {
      // The mark of a note in the text is not its text.
      if (skipping > 0 || skipped.has(name) || name === 'note-citation') skipping++
      else onOpen(name, attributes)
    },
    text(text) {
      if (skipping === 0) write(text.replace(/\s+/g, ' '))
    },
    close(name) {
      if (skipping > 0) skipping--
      else onClose(name)
    },
  }
}

const isTitle = (attributes: XmlAttributes): boolean => /^Title$/i.test(attribute(attributes, 'style-name') ?? '')
