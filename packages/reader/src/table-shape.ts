/** Whether the first row names the columns: all of it is filled, and with words, above rows that follow. */
export function guessHeader(rows: readonly (readonly string[])[]): boolean {
  const [first, ...others] = rows
  if (!first || others.length === 0 || first.length < 2) return false
  return first.every((cell, index) => (index === 0 || cell.trim() !== '') && !/^[\s\d.,:%$€£R()+/-]+$/.test(cell))
}

/** Without columns that are empty in all rows, and with rows of one length. */
export function tidyRows(rows: readonly (readonly string[])[]): string[][] {
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0)
  const used = Array.from({ length: width }, (_, column) => rows.some((row) => (row[column] ?? '').trim() !== ''))
  return rows.map((row) => used.flatMap((isUsed, column) => (isUsed ? [row[column] ?? ''] : [])))
}
