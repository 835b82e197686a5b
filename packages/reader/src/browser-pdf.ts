import type { PdfLoader } from './pdf/pdf-loader'

/** Folders of pdfjs-dist as the app serves them, each with a slash at the end. */
export type BrowserPdfFiles = { cMapUrl: string; standardFontDataUrl: string; wasmUrl: string }

/**
 * pdf.js in a worker of the app's own: its parser runs in the same thread, so that no second worker is started. It has
 * no document there; what it would draw with that, it draws with canvases that are off the screen.
 */
export function browserPdf(files: BrowserPdfFiles): PdfLoader {
  return {
    ...files,
    async load() {
      await import('pdfjs-dist/legacy/build/pdf.worker.mjs')
      return import('pdfjs-dist/legacy/build/pdf.mjs')
    },
    options: { CanvasFactory: OffscreenCanvasFactory, FilterFactory: NoFilters, useWorkerFetch: true },
    async draw(page, scale) {
      const viewport = page.getViewport({ scale })
      const canvas = new OffscreenCanvas(
        Math.max(1, Math.ceil(viewport.width)),
        Math.max(1, Math.ceil(viewport.height)),
      )
      // pdf.js draws on either kind.
      await page.render({ canvas: canvas as unknown as HTMLCanvasElement, viewport, background: '#fff' }).promise
      const blob = await canvas.convertToBlob({ type: 'image/png' })
      return { bytes: new Uint8Array(await blob.arrayBuffer()), mediaType: 'image/png' }
    },
  }
}

type CanvasAndContext = { canvas: OffscreenCanvas | null; context: OffscreenCanvasRenderingContext2D | null }

/** As pdf.js wants it. */
class OffscreenCanvasFactory {
  create(width: number, height: number): CanvasAndContext {
    const canvas = new OffscreenCanvas(Math.max(1, width), Math.max(1, height))
    return { canvas, context: canvas.getContext('2d', { willReadFrequently: true }) }
  }
  reset({ canvas }: CanvasAndContext, width: number, height: number): void {
    if (!canvas) return
    canvas.width = width
    canvas.height = height
  }
  destroy(pair: CanvasAndContext): void {
    this.reset(pair, 0, 0)
    pair.canvas = null
    pair.context = null
  }
}

/** Filters of SVG need a document; a scan looks the same without them. */
class NoFilters {
  addFilter(): string {
    return 'none'
  }
  addHCMFilter(): string {
    return 'none'
  }
  addAlphaFilter(): string {
    return 'none'
  }
  addLuminosityFilter(): string {
    return 'none'
  }
  addKnockoutFilter(): string {
    return 'none'
  }
  addHighlightHCMFilter(): string {
    return 'none'
  }
  destroy(): void {
    // Nothing was made.
  }
}
