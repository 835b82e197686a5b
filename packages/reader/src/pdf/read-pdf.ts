import { AppError } from '@parley/contract/errors'
import type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist'
import { bounds } from '../bounds'
import type { Reading } from '../reading'
import { blocksOfPages } from './page-blocks'
import { linesOfPage, type PageLines, type TextItem } from './page-lines'
import type { PdfLoader } from './pdf-loader'

/** Reads a PDF page by page; a page that has no text is drawn and its picture read. */
export async function readPdf(bytes: Uint8Array, reading: Reading): Promise<void> {
  const loader = reading.options.pdf
  if (!loader) throw new AppError('source.type')
  const document = await open(bytes, loader, reading)
  try {
    await readPages(document, loader, reading)
  } finally {
    await document.loadingTask.destroy()
  }
}

async function open(bytes: Uint8Array, loader: PdfLoader, reading: Reading): Promise<PDFDocumentProxy> {
  const { getDocument } = await loader.load()
  const { cMapUrl, standardFontDataUrl, wasmUrl } = loader
  const task = getDocument({
    // pdf.js keeps what it is given, and may detach it.
    data: bytes.slice(),
    verbosity: 0,
    isEvalSupported: false,
    enableXfa: false,
    disableFontFace: true,
    useSystemFonts: false,
    ...(cMapUrl ? { cMapUrl, cMapPacked: true } : {}),
    ...(standardFontDataUrl ? { standardFontDataUrl } : {}),
    ...(wasmUrl ? { wasmUrl } : {}),
    ...loader.options,
  })
  const cancel = () => void task.destroy()
  reading.options.signal?.addEventListener('abort', cancel, { once: true })
  try {
    return await task.promise
  } catch (error) {
    reading.throwIfCancelled()
    const name = error instanceof Error ? error.name : ''
    throw new AppError(name === 'PasswordException' ? 'source.protected' : 'source.damaged', { cause: error })
  } finally {
    reading.options.signal?.removeEventListener('abort', cancel)
  }
}

async function readPages(document: PDFDocumentProxy, loader: PdfLoader, reading: Reading): Promise<void> {
  const count = Math.min(document.numPages, bounds.maxPages)
  if (document.numPages > bounds.maxPages) reading.notices.add('first-pages')
  reading.title = await titleOf(document)
  reading.pages = count
  const pages: PageLines[] = []
  let length = 0
  for (let number = 1; number <= count && length < bounds.maxTextLength; number++) {
    await reading.breathe()
    const page = await readPage(document, number, loader, reading)
    length += page.length
    pages.push(page)
    reading.progress(number, count, 'pages')
  }
  for (const block of blocksOfPages(pages)) reading.add(block)
}

async function readPage(
  document: PDFDocumentProxy,
  number: number,
  loader: PdfLoader,
  reading: Reading,
): Promise<PageLines> {
  const empty: PageLines = { number, width: 0, height: 0, lines: [], length: 0, recognised: [] }
  try {
    const page = await document.getPage(number)
    try {
      const [left = 0, bottom = 0, right = 0, top = 0] = page.view
      const items = await itemsOf(page, reading)
      const lines = linesOfPage(items, { number, left, bottom, width: right - left, height: top - bottom })
      return lines.length > 0 ? lines : { ...lines, ...(await recognise(page, loader, reading)) }
    } finally {
      page.cleanup()
    }
  } catch (error) {
    if (error instanceof AppError && error.code !== 'source.damaged') throw error
    reading.throwIfCancelled()
    reading.notices.add('damaged')
    return empty
  }
}

/** As a stream: a page of more items than any page has is read no further. */
async function itemsOf(page: PDFPageProxy, reading: Reading): Promise<TextItem[]> {
  const reader = page.streamTextContent({ disableNormalization: false }).getReader()
  const items: TextItem[] = []
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return items
    for (const item of value.items) {
      if ('str' in item && item.str !== '') items.push(item)
    }
    if (items.length > bounds.maxTextItems) {
      reading.notices.add('first-text')
      await reader.cancel(new Error('enough'))
      return items
    }
    await reading.breathe()
  }
}

/** So many points wide and high a page is drawn, whatever it claims to be. */
const maxSide = 2_400
const dotsPerPoint = 200 / 72

async function recognise(
  page: PDFPageProxy,
  { draw }: PdfLoader,
  reading: Reading,
): Promise<Pick<PageLines, 'recognised' | 'length'>> {
  const { ocr, signal } = reading.options
  if (!ocr || !draw) return { recognised: [], length: 0 }
  const { width, height } = page.getViewport({ scale: 1 })
  const picture = await draw(page, Math.min(dotsPerPoint, maxSide / Math.max(width, height, 1)))
  const recognised = await ocr.recognise(picture, signal)
  if (recognised.length > 0) reading.notices.add('from-picture')
  return { recognised, length: recognised.reduce((sum, { text }) => sum + text.length, 0) }
}

async function titleOf(document: PDFDocumentProxy): Promise<string | undefined> {
  const { info } = await document.getMetadata().catch(() => ({ info: {} }))
  const title = 'Title' in info && typeof info.Title === 'string' ? info.Title.trim() : ''
  // Programs write the name of a file there.
  return title === '' || /^untitled|\.\w{2,4}$/i.test(title) ? undefined : title
}
