import { AppError } from '@parley/contract/errors'
import { readPdf } from '../pdf/read-pdf'
import type { Reading } from '../reading'
import { pdfOfTiff } from './tiff-pdf'

/** A TIFF is what scanners make: it is read as the scanned PDF that its pages would be. */
export async function readTiff(bytes: Uint8Array, reading: Reading): Promise<void> {
  const { ocr, pdf } = reading.options
  if (!ocr || !pdf?.draw) return
  const document = pdfOfTiff(bytes)
  if (!document) throw new AppError('source.damaged')
  await readPdf(document, reading)
}
