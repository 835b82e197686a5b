import sharp from 'sharp'
import { afterAll, describe, expect, it } from 'vitest'
import { nodeOcr } from './node-ocr'
import { nodePdf } from './node-pdf'
import { readFile } from './read-file'
import { pdfOfObjects } from './testing/pdf-bytes'

const ocr = nodeOcr()
afterAll(() => ocr.end())

const lines = ['Contrato de locação nº 4711', 'O valor do aluguel é de R$ 1.234,56', 'La fianza es de tres meses.']
const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="900" height="300"><rect width="900" height="300" fill="white"/>${lines
  .map(
    (line, index) =>
      `<text x="30" y="${70 + index * 80}" font-family="DejaVu Sans, sans-serif" font-size="36">${line}</text>`,
  )
  .join('')}</svg>`
const drawn = () => sharp(Buffer.from(svg))

describe('OCR', () => {
  it.each(['png', 'jpeg', 'gif', 'webp'] as const)('reads a %s in the three languages [ST-129]', async (kind) => {
    const bytes = new Uint8Array(await drawn().toFormat(kind).toBuffer())
    const { blocks, notices } = await readFile({ name: `a.${kind}`, bytes }, { ocr })
    const text = blocks.map((block) => ('text' in block ? block.text : '')).join('\n')
    for (const part of ['locação', '4711', '1.234,56', 'fianza']) expect(text).toContain(part)
    expect(notices).toEqual(['from-picture'])
  })

  it.each(['none', 'packbits', 'lzw', 'deflate', 'ccittfax4'] as const)(
    'reads a TIFF (%s) [ST-129]',
    async (compression) => {
      const grey = drawn().flatten({ background: '#fff' }).greyscale().toColourspace('b-w')
      const options = compression === 'ccittfax4' ? { compression, bitdepth: 1 as const } : { compression }
      const bytes = new Uint8Array(await grey.tiff(options).toBuffer())
      const { blocks, pages } = await readFile({ name: 'a.tif', bytes }, { ocr, pdf: nodePdf() })
      expect(blocks.map((block) => ('text' in block ? block.text : '')).join('\n')).toContain('locação')
      expect(pages).toBe(1)
    },
  )

  it('reads a scanned page, and knows where each of its lines stands', async () => {
    const { data, info } = await drawn().greyscale().raw().toBuffer({ resolveWithObject: true })
    const hex = `${Buffer.from(data).toString('hex')}>`
    const content = 'q 500 0 0 166 40 600 cm /I Do Q'
    const bytes = pdfOfObjects([
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Count 1 /Kids [3 0 R] /MediaBox [0 0 595 842] >>',
      '<< /Type /Page /Parent 2 0 R /Contents 4 0 R /Resources << /XObject << /I 5 0 R >> >> >>',
      `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
      `<< /Type /XObject /Subtype /Image /Width ${info.width} /Height ${info.height} /ColorSpace /DeviceGray /BitsPerComponent 8 /Filter /ASCIIHexDecode /Length ${hex.length} >>\nstream\n${hex}\nendstream`,
    ])
    const { blocks, notices } = await readFile({ name: 'scan.pdf', bytes }, { ocr, pdf: nodePdf() })
    const text = blocks.map((block) => ('text' in block ? block.text : '')).join('\n')
    expect(text).toContain('locação')
    expect(blocks[0]?.page).toBe(1)
    expect(notices).toEqual(['from-picture'])
    const found = blocks.flatMap((block) => (block.kind === 'paragraph' && block.lines) || [])
    expect(found.map((line) => line.text.slice(0, 8))).toEqual(['Contrato', 'O valor ', 'La fianz'])
    // The picture is 500 points wide and 166 high; its lower left corner is 40 and 600 from that of the page.
    for (const [index, { box }] of found.entries()) {
      const baseline = (842 - 766 + ((70 + index * 80) / 300) * 166) / 842
      expect(box[0]).toBeCloseTo((40 + (30 / 900) * 500) / 595, 1.5)
      expect(box[1]).toBeGreaterThan(baseline - 0.04)
      expect(box[1]).toBeLessThan(baseline)
      expect(box[3]).toBeGreaterThan(baseline - 0.01)
      expect(box[3]).toBeLessThan(baseline + 0.02)
      expect(box[2]).toBeGreaterThan(0.4)
    }
  })

  it('says of a broken picture that it is damaged, and reads the next one', async () => {
    const whole = new Uint8Array(await drawn().png().toBuffer())
    const broken = whole.slice(0, 300)
    await expect(readFile({ name: 'a.png', bytes: broken }, { ocr })).rejects.toMatchObject({ code: 'source.damaged' })
    const bmp = new Uint8Array(60)
    bmp.set([0x42, 0x4d, 60])
    bmp.set([0xff, 0xff, 0xff, 0x7f, 0xff, 0xff, 0xff, 0x7f], 18)
    await expect(readFile({ name: 'a.bmp', bytes: bmp }, { ocr })).rejects.toMatchObject({ code: 'source.damaged' })
    const { blocks } = await readFile({ name: 'a.png', bytes: whole }, { ocr })
    expect(blocks.length).toBeGreaterThan(0)
  })

  it('stops when it is cancelled', async () => {
    const stop = new AbortController()
    const bytes = new Uint8Array(await drawn().png().toBuffer())
    const reading = readFile({ name: 'a.png', bytes }, { ocr, signal: stop.signal })
    stop.abort()
    await expect(reading).rejects.toMatchObject({ code: 'source.cancelled' })
  })
})
