// PDFs for tests, written object by object: text at its place in a page, in a size.
import { utf8 } from './files'

export type PdfText = { x: number; y: number; size?: number; text: string }

const escaped = (text: string): string => text.replace(/[\\()]/g, '\\$&').replaceAll('•', '\u0095')

/** `y` from the top of a page of 595 by 842 points. */
const drawn = ({ x, y, size = 11, text }: PdfText): string =>
  `BT /F1 ${size} Tf 1 0 0 1 ${x} ${842 - y} Tm (${escaped(text)}) Tj ET`

export function pdfOf(
  pages: readonly (readonly PdfText[])[],
  { title, catalog = '' }: { title?: string; catalog?: string } = {},
): Uint8Array {
  const kids = pages.map((_, index) => `${4 + index * 2} 0 R`).join(' ')
  const objects = [
    `<< /Type /Catalog /Pages 2 0 R ${catalog} >>`,
    `<< /Type /Pages /Count ${pages.length} /Kids [${kids}] /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >> >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    ...pages.flatMap((texts, index) => {
      const content = texts.map(drawn).join('\n')
      return [
        `<< /Type /Page /Parent 2 0 R /Contents ${5 + index * 2} 0 R >>`,
        `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
      ]
    }),
    `<< /Title (${escaped(title ?? '')}) >>`,
  ]
  return pdfOfObjects(objects, objects.length)
}

/** Objects from number 1 on; the first one is the catalogue. */
export function pdfOfObjects(objects: readonly string[], info?: number): Uint8Array {
  let file = '%PDF-1.7\n'
  const offsets = objects.map((object, index) => {
    const offset = file.length
    file += `${index + 1} 0 obj\n${object}\nendobj\n`
    return offset
  })
  const start = file.length
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n`
  for (const offset of offsets) file += `${String(offset).padStart(10, '0')} 00000 n \n`
  file += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${info ? `/Info ${info} 0 R` : ''} >>\nstartxref\n${start}\n%%EOF`
  return latin1(file)
}

/**
 * Letters in Shift JIS, as hexadecimal digits, in a font that the file does not have: only a character map tells them.
 */
export function pdfInShiftJis(digits: string): Uint8Array {
  const content = `BT /F1 24 Tf 1 0 0 1 60 700 Tm <${digits}> Tj ET`
  return pdfOfObjects([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Count 1 /Kids [3 0 R] /MediaBox [0 0 595 842] >>',
    '<< /Type /Page /Parent 2 0 R /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type0 /BaseFont /HeiseiMin-W3 /Encoding /90ms-RKSJ-H /DescendantFonts [6 0 R] >>',
    `<< /Type /Font /Subtype /CIDFontType0 /BaseFont /HeiseiMin-W3 /CIDSystemInfo 7 0 R /FontDescriptor 8 0 R >>`,
    '<< /Registry (Adobe) /Ordering (Japan1) /Supplement 2 >>',
    `<< /Type /FontDescriptor /FontName /HeiseiMin-W3 /Flags 4 /FontBBox [0 -200 1000 900] /ItalicAngle 0 /Ascent 800 /Descent -200 /CapHeight 700 /StemV 80 >>`,
  ])
}

const latin1 = (text: string): Uint8Array => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all of Latin 1
  if (!/^[\u0000-\u00ff]*$/.test(text)) return utf8(text)
  return Uint8Array.from(text, (character) => character.charCodeAt(0))
}

/** Lines of prose from the top, as wide as the page. */
export function prose(lines: readonly string[], from = 100, size = 11, x = 60): PdfText[] {
  return lines.map((text, index) => ({ x, y: from + index * size * 1.25, size, text }))
}
