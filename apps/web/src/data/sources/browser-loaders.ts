import type { ReadOptions } from '@parley/reader/read-file'

/** Reads PDFs in a worker. Loaded with the first file: each is larger than the app. */
export async function browserLoaders(): Promise<Pick<ReadOptions, 'pdf' | 'ocr'>> {
  const { browserPdf } = await import('@parley/reader/browser-pdf')
  return { pdf: browserPdf() }
}
