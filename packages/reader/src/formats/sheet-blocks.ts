import type { DocumentBlock } from '@parley/contract/read-document'
import { guessHeader, tidyRows } from '../table-shape'

/** Rows of a sheet in parts: empty rows part tables, a row of one cell is a title or a remark. */
export function blocksOfSheet(rows: readonly (readonly string[])[], page: number): DocumentBlock[] {
  const blocks: DocumentBlock[] = []
  let part: string[][] = []
  const flush = () => {
    const table = tidyRows(part)
    part = []
    if ((table[0]?.length ?? 0) > 1) blocks.push({ kind: 'table', rows: table, hasHeader: guessHeader(table), page })
    else for (const [text = ''] of table) blocks.push({ kind: 'paragraph', text, page })
  }
  for (const row of rows) {
    const filled = row.filter((cell) => cell.trim() !== '')
    if (filled.length === 0) flush()
    else if (filled.length === 1 && part.length === 0) blocks.push({ kind: 'paragraph', text: filled[0] ?? '', page })
    else part.push([...row])
  }
  flush()
  return blocks
}
