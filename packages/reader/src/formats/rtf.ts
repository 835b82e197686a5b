import { bounds } from '../bounds'
import type { Reading } from '../reading'
import { guessHeader, tidyRows } from '../table-shape'
import { type RtfToken, rtfTokens } from './rtf-tokens'

/** What is not text of the document: fonts, colours, pictures, fields' commands, headers. */
const skippedGroups = new Set(
  (
    'fonttbl colortbl stylesheet info pict object header headerl headerr headerf footer footerl footerr footerf ' +
    'fldinst themedata datastore latentstyles listtable listoverridetable rsidtbl generator xmlnstbl annotation ' +
    'atnid atnauthor pntext pnseclvl filetbl revtbl nonshppict shpinst'
  ).split(' '),
)
/** Groups that may be ignored by those who do not know them, but have text. */
const readGroups = new Set(['shptxt', 'shppict'])
const symbols: Record<string, string> = {
  ...{ tab: '\t', line: '\n', emdash: '—', endash: '–', bullet: '•', lquote: '‘', rquote: '’', ldblquote: '“' },
  ...{ rdblquote: '”', '~': ' ', _: '-', emspace: ' ', enspace: ' ' },
}

type Group = { isSkipped: boolean; isNote: boolean; unicodeSkip: number }

/** Rich text: paragraphs, headings by their outline level, tables by their cells, footnotes. */
export async function readRtf(bytes: Uint8Array, reading: Reading): Promise<void> {
  const groups: Group[] = [{ isSkipped: false, isNote: false, unicodeSkip: 1 }]
  let codePage = 1252
  let pending: number[] = []
  let toSkip = 0
  let text = ''
  let note = ''
  let notes: string[] = []
  let outline: number | undefined
  let isItem = false
  let inTable = false
  let row: string[] = []
  let rows: string[][] = []
  let isIgnorable = false
  let steps = 0
  const group = () => groups.at(-1) ?? { isSkipped: false, isNote: false, unicodeSkip: 1 }

  const write = (piece: string) => {
    if (group().isSkipped) return
    if (group().isNote) note += piece
    else text += piece
  }
  const writePending = () => {
    if (pending.length > 0) write(decodeBytes(pending, codePage))
    pending = []
  }
  const endTable = () => {
    const table = tidyRows(rows)
    rows = []
    if (table.length > 0) reading.add({ kind: 'table', rows: table, hasHeader: guessHeader(table) })
  }
  const endParagraph = () => {
    const content = text
    text = ''
    if (content.trim() !== '') {
      if (rows.length > 0) endTable()
      if (outline !== undefined) reading.add({ kind: 'heading', level: outline, text: content })
      else reading.add(isItem ? { kind: 'list-item', level: 0, text: content } : { kind: 'paragraph', text: content })
    }
    for (const each of notes) reading.add({ kind: 'footnote', text: each })
    notes = []
    isItem = false
  }

  const onWord = ({ word, value }: Extract<RtfToken, { kind: 'word' }>) => {
    if (isIgnorable && !readGroups.has(word)) group().isSkipped = true
    isIgnorable = false
    if (skippedGroups.has(word)) group().isSkipped = true
    if (word === 'ansicpg' && value !== undefined) codePage = value
    else if (word === 'uc') group().unicodeSkip = Math.min(8, Math.max(0, value ?? 1))
    else if (word === 'u' && value !== undefined) {
      write(String.fromCharCode(value < 0 ? value + 65_536 : value))
      toSkip = group().unicodeSkip
    } else if (group().isSkipped) return
    else if (word === 'footnote') group().isNote = true
    else if (word === 'par' || word === 'sect' || word === 'page') {
      if (group().isNote) note += '\n'
      else if (inTable) text += '\n'
      else endParagraph()
    } else if (word === 'pard') {
      outline = undefined
      inTable = false
    } else if (word === 'outlinelevel') outline = value !== undefined && value < 9 ? Math.min(6, value + 1) : undefined
    else if (word === 'ls' || word === 'pnlvlblt' || word === 'pnlvlbody') isItem = true
    else if (word === 'intbl') inTable = true
    else if (word === 'cell') {
      if (row.length < bounds.maxColumns) row.push(text.trim())
      text = ''
    } else if (word === 'row') {
      rows.push(row)
      row = []
    } else {
      const symbol = symbols[word]
      if (symbol !== undefined) write(symbol)
    }
  }

  for (const token of rtfTokens(bytes)) {
    if (steps++ % 5_000 === 0) await reading.breathe()
    if (token.kind === 'byte') {
      if (toSkip > 0) toSkip--
      else if (!group().isSkipped) pending.push(token.byte)
      if (pending.length > 4_000) writePending()
      continue
    }
    writePending()
    if (token.kind === 'open') {
      toSkip = 0
      if (groups.length > bounds.maxDepth * 4) reading.stop('damaged')
      groups.push({ ...group() })
    } else if (token.kind === 'close') {
      toSkip = 0
      isIgnorable = false
      const ended = groups.length > 1 ? groups.pop() : undefined
      if (ended?.isNote && !group().isNote) {
        notes.push(note.trim())
        note = ''
      }
    } else if (token.kind === 'ignorable') isIgnorable = true
    else onWord(token)
  }
  writePending()
  endParagraph()
  if (row.length > 0) rows.push(row)
  endTable()
  if (groups.length > 1) reading.notices.add('damaged')
}

function decodeBytes(bytes: readonly number[], codePage: number): string {
  const labels: Record<number, string> = { 65001: 'utf-8', 932: 'shift_jis', 936: 'gbk', 949: 'euc-kr', 950: 'big5' }
  const label = labels[codePage] ?? (codePage >= 1250 && codePage <= 1258 ? `windows-${codePage}` : 'windows-1252')
  return new TextDecoder(label).decode(new Uint8Array(bytes))
}
