import { bounds } from '../bounds'
import type { Reading } from '../reading'
import { attribute, readXml, relationsOf, type XmlAttributes } from '../xml'
import type { Zip } from '../zip'
import { blocksOfSheet } from './sheet-blocks'
import { dateOfSerial, readDateStyles } from './xlsx-dates'

/** The sheets of a workbook: each a heading and its tables, with the values that were last computed. */
export async function readXlsx(zip: Zip, reading: Reading): Promise<void> {
  const { sheets, isFrom1904 } = await sheetsOf(zip, reading)
  const strings = await sharedStrings(zip, reading)
  const isDate = await readDateStyles(zip, reading)
  for (const [index, { name, entry }] of sheets.entries()) {
    const page = index + 1
    reading.beginPage(page)
    if (name !== '') reading.add({ kind: 'heading', level: 1, text: name, page })
    const rows = await rowsOf(zip, entry, reading, (value, type, style) => {
      if (type === 's') return strings[Number(value)] ?? ''
      if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE'
      if ((type === 'n' || type === '') && isDate[Number(style)]) return dateOfSerial(Number(value), isFrom1904)
      return type === 'n' || type === '' ? plainNumber(value) : value
    })
    for (const block of blocksOfSheet(rows, page)) reading.add(block)
    reading.progress(page, sheets.length, 'pages')
  }
}

/** 0.30000000000000004 is what a computer makes of 0.3. */
function plainNumber(value: string): string {
  if (!/^-?\d*\.\d{12,}$|[eE]/.test(value)) return value
  const number = Number(value)
  return Number.isFinite(number) ? String(Number(number.toPrecision(12))) : value
}

async function sheetsOf(zip: Zip, reading: Reading) {
  const listed: { name: string; id: string }[] = []
  let isFrom1904 = false
  await readXml(zip, 'xl/workbook.xml', reading, {
    open(name, attributes) {
      if (name === 'sheet') listed.push({ name: attributes.name ?? '', id: attributes['r:id'] ?? '' })
      else if (name === 'workbookPr') isFrom1904 = /^(?:1|true)$/.test(attributes.date1904 ?? '')
    },
  })
  const relations = await relationsOf(zip, 'xl/workbook.xml', reading)
  const sheets = listed.flatMap(({ name, id }) => {
    const entry = relations.get(id)?.target
    return entry && zip.has(entry) ? [{ name, entry }] : []
  })
  if (sheets.length > 0) return { sheets, isFrom1904 }
  const found = zip.names.filter((name) => /^xl\/worksheets\/sheet\d+\.xml$/.test(name)).sort()
  return { sheets: found.map((entry) => ({ name: '', entry })), isFrom1904 }
}

const maxStrings = 2_000_000

async function sharedStrings(zip: Zip, reading: Reading): Promise<string[]> {
  const strings: string[] = []
  let text = ''
  let isText = false
  let phonetic = 0
  await readXml(zip, 'xl/sharedStrings.xml', reading, {
    open(name) {
      if (name === 'si') text = ''
      else if (name === 'rPh') phonetic++
      else if (name === 't') isText = phonetic === 0
    },
    text(piece) {
      if (isText) text += piece
    },
    close(name) {
      if (name === 't') isText = false
      else if (name === 'rPh') phonetic--
      else if (name === 'si' && strings.length < maxStrings) strings.push(text)
    },
  })
  return strings
}

type ReadCell = (value: string, type: string, style: string) => string

async function rowsOf(zip: Zip, entry: string, reading: Reading, readCell: ReadCell): Promise<string[][]> {
  const rows: string[][] = []
  let row: string[] = []
  let rowNumber = 0
  let cell: XmlAttributes = {}
  let column = 0
  let value = ''
  let isValue = false
  let cells = 0
  const isFull = () => cells > bounds.maxCells
  await readXml(zip, entry, reading, {
    open(name, attributes) {
      if (isFull()) return
      if (name === 'row') {
        const number = Number(attribute(attributes, 'r')) || rowNumber + 1
        // A gap is one empty row, however wide it is.
        if (number > rowNumber + 1 && rows.length > 0) rows.push([])
        rowNumber = number
        row = []
        column = 0
      } else if (name === 'c') {
        cell = attributes
        column = columnOf(attribute(attributes, 'r') ?? '') ?? column + 1
        value = ''
      } else if (name === 'v' || name === 't') isValue = true
    },
    text(text) {
      if (isValue) value += text
    },
    close(name) {
      if (name === 'v' || name === 't') isValue = false
      else if (name === 'c' && value !== '' && column <= bounds.maxColumns && !isFull()) {
        while (row.length < column - 1) row.push('')
        row[column - 1] = readCell(value, cell.t ?? '', cell.s ?? '0')
        cells += 1
      } else if (name === 'row' && row.length > 0) {
        cells += row.length
        rows.push(row)
        row = []
      }
    },
  })
  if (isFull()) reading.notices.add('first-text')
  return rows
}

/** The number of a column by its letters: 1 for A, 28 for AB. */
function columnOf(reference: string): number | undefined {
  const letters = /^[A-Z]{1,3}/.exec(reference)?.[0]
  if (!letters) return undefined
  return Array.from(letters).reduce((number, letter) => number * 26 + letter.charCodeAt(0) - 64, 0)
}
