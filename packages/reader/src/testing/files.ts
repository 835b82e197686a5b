// Files for tests, made of bytes as the formats have them.
import { strToU8, zipSync } from 'fflate'

export const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)

/** `stored` first and not compressed, as OpenDocument and EPUB want their `mimetype`. */
export function zipOf(entries: Record<string, string | Uint8Array>, stored: Record<string, string> = {}): Uint8Array {
  const bytes = (content: string | Uint8Array) => (typeof content === 'string' ? strToU8(content) : content)
  return zipSync({
    ...Object.fromEntries(Object.entries(stored).map(([name, text]) => [name, [strToU8(text), { level: 0 }]] as const)),
    ...Object.fromEntries(Object.entries(entries).map(([name, content]) => [name, bytes(content)])),
  })
}

const xml = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const word = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'

export const docxRun = (text: string): string => `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`
export const docxParagraph = (text: string, style?: string): string =>
  `<w:p>${style ? `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>` : ''}${docxRun(text)}</w:p>`
export const docxTable = (rows: string[][]): string =>
  `<w:tbl>${rows.map((row) => `<w:tr>${row.map((cell) => `<w:tc>${docxParagraph(cell)}</w:tc>`).join('')}</w:tr>`).join('')}</w:tbl>`

export function docxOf(body: string, more: Record<string, string> = {}): Uint8Array {
  return zipOf({
    '[Content_Types].xml': `${xml}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>`,
    'word/document.xml': `${xml}<w:document ${word}><w:body>${body}</w:body></w:document>`,
    'word/styles.xml': `${xml}<w:styles ${word}><w:style w:type="paragraph" w:styleId="Ttulo1"><w:name w:val="heading 1"/></w:style><w:style w:type="paragraph" w:styleId="Ttulo2"><w:name w:val="heading 2"/></w:style></w:styles>`,
    ...more,
  })
}
