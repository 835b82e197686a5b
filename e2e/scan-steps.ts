// A scan: a PDF whose pages are pictures, as a scanner makes it, without a text layer.
import type { Page } from '@playwright/test'
import { pdfOfObjects } from '../packages/reader/src/testing/pdf-bytes'
import type { GivenFile } from './source-steps'

const size = { width: 1_240, height: 1_754 }

/** `page` draws the pictures, in JPEG. */
export async function aScan(page: Page, name: string, pages: readonly (readonly string[])[]): Promise<GivenFile> {
  const objects = ['<< /Type /Catalog /Pages 2 0 R >>', '']
  const kids: string[] = []
  for (const lines of pages) {
    const jpeg = await page.evaluate(drawn, { lines, ...size })
    const content = 'q 595 0 0 842 0 0 cm /I Do Q'
    const first = objects.length + 1
    kids.push(`${first} 0 R`)
    objects.push(
      `<< /Type /Page /Parent 2 0 R /Contents ${first + 1} 0 R /Resources << /XObject << /I ${first + 2} 0 R >> >> >>`,
      `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
      `<< /Type /XObject /Subtype /Image /Width ${size.width} /Height ${size.height} /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /DCTDecode /Length ${jpeg.length} >>\nstream\n${jpeg}\nendstream`,
    )
  }
  objects[1] = `<< /Type /Pages /Count ${kids.length} /Kids [${kids.join(' ')}] /MediaBox [0 0 595 842] >>`
  return { name, mimeType: 'application/pdf', buffer: Buffer.from(pdfOfObjects(objects)) }
}

/** In the page: lines of text on paper, the first one as a heading. A character for each byte. */
async function drawn({ lines, width, height }: { lines: readonly string[]; width: number; height: number }) {
  const canvas = new OffscreenCanvas(width, height)
  const context = canvas.getContext('2d')
  if (!context) throw new Error('no canvas')
  context.fillStyle = '#f6f4ee'
  context.fillRect(0, 0, width, height)
  context.fillStyle = '#222'
  for (const [index, line] of lines.entries()) {
    context.font = index === 0 ? 'bold 44px serif' : '34px serif'
    context.fillText(line, 120, 200 + index * 70)
  }
  const jpeg = await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.85 })
  return Array.from(new Uint8Array(await jpeg.arrayBuffer()), (byte) => String.fromCharCode(byte)).join('')
}
