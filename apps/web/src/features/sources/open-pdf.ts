import { getDocument, type PDFDocumentProxy, PDFWorker } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { pdfFiles } from '../../data/sources/pdf-files'
import { trustedScriptUrl } from '../../lib/trusted-url'
import workerUrl from './pdf-page-worker?worker&url'

export type OpenPdf = { document: PDFDocumentProxy; close: () => void }

/** Opens a file to be shown. Nothing in it runs: scripts and forms are not even read. */
export async function openPdf(file: Blob): Promise<OpenPdf> {
  const port = new Worker(trustedScriptUrl(new URL(workerUrl, location.href)), { type: 'module', name: 'pdf' })
  const worker = PDFWorker.create({ port })
  const close = (): void => {
    worker.destroy()
    port.terminate()
  }
  try {
    const data = new Uint8Array(await file.arrayBuffer())
    const task = getDocument({
      data,
      worker,
      ...pdfFiles(),
      // What a file lacks is no fault of the page's to complain about.
      verbosity: 0,
      ...{ cMapPacked: true, enableXfa: false, stopAtErrors: false, maxImageSize: 64_000_000 },
    })
    const document = await task.promise
    return { document, close: () => void task.destroy().finally(close) }
  } catch (error) {
    close()
    throw error
  }
}
