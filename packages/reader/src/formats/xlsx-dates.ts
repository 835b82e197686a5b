import type { Reading } from '../reading'
import { readXml } from '../xml'
import type { Zip } from '../zip'

/** By the number of a cell's style: whether its numbers are days. */
export async function readDateStyles(zip: Zip, reading: Reading): Promise<boolean[]> {
  const custom = new Map<string, boolean>()
  const styles: boolean[] = []
  let isCellFormat = false
  await readXml(zip, 'xl/styles.xml', reading, {
    open(name, { numFmtId = '0', formatCode = '' }) {
      if (name === 'numFmt') custom.set(numFmtId, isDateFormat(formatCode))
      else if (name === 'cellXfs') isCellFormat = true
      else if (name === 'xf' && isCellFormat && styles.length < 100_000)
        styles.push(custom.get(numFmtId) ?? isBuiltInDate(Number(numFmtId)))
    },
    close(name) {
      if (name === 'cellXfs') isCellFormat = false
    },
  })
  return styles
}

const isBuiltInDate = (id: number): boolean =>
  (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 58)

/** What stands in quotes, brackets or behind a backslash is text, colours or currencies. */
const isDateFormat = (code: string): boolean => /[dmyhs]/i.test(code.replace(/"[^"]*"|\[[^\]]*\]|\\./g, ''))

const dayMs = 86_400_000

/** A day as ISO 8601, with the time where it has one. Day 1 is the first of 1900, or of the second day of 1904. */
export function dateOfSerial(serial: number, isFrom1904: boolean): string {
  if (!Number.isFinite(serial) || serial < 0 || serial > 2_958_466) return String(serial)
  const start = isFrom1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, 30)
  const iso = new Date(start + Math.round(serial * dayMs)).toISOString()
  if (serial < 1) return iso.slice(11, 16)
  return Number.isInteger(serial) ? iso.slice(0, 10) : `${iso.slice(0, 10)} ${iso.slice(11, 16)}`
}
