import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { PdfLoader } from './pdf/pdf-loader'

/** pdf.js under Node, with the files that it loads when a document needs them. */
export function nodePdf(folder: string = pdfjsFolder()): PdfLoader {
  return {
    async load() {
      // It finds its worker there and runs it in this thread.
      await import('pdfjs-dist/legacy/build/pdf.worker.mjs')
      return import('pdfjs-dist/legacy/build/pdf.mjs')
    },
    cMapUrl: `${join(folder, 'cmaps')}/`,
    standardFontDataUrl: `${join(folder, 'standard_fonts')}/`,
    wasmUrl: `${join(folder, 'wasm')}/`,
    async draw(page, scale) {
      const { createCanvas } = await import('@napi-rs/canvas')
      const viewport = page.getViewport({ scale })
      const canvas = createCanvas(Math.max(1, Math.ceil(viewport.width)), Math.max(1, Math.ceil(viewport.height)))
      // Its canvas is not the browser's by name alone.
      const target = canvas as unknown as HTMLCanvasElement
      await page.render({ canvas: target, viewport, background: '#fff' }).promise
      return { bytes: canvas.toBuffer('image/png'), mediaType: 'image/png' }
    },
  }
}

const pdfjsFolder = (): string => dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'))
