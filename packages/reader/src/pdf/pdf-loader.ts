import type { getDocument, PDFPageProxy } from 'pdfjs-dist'
import type { Picture } from '../ocr'

/** The build of pdf.js that runs here, and what it cannot find out by itself. */
export type PdfLoader = {
  load(): Promise<{ getDocument: typeof getDocument }>
  /**
   * Addresses or folders, with a slash at the end: character maps, fonts and decoders that pdf.js loads when needed.
   */
  cMapUrl?: string | undefined
  standardFontDataUrl?: string | undefined
  wasmUrl?: string | undefined
  /** More for `getDocument`, such as a canvas factory. */
  options?: Record<string, unknown> | undefined
  /** Draws a page for OCR. */
  draw?: ((page: PDFPageProxy, scale: number) => Promise<Picture>) | undefined
}
