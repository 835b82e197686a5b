import type { Ocr } from '@parley/reader/ocr'
import type { ReadOptions } from '@parley/reader/read-file'
import englishUrl from '@tesseract.js-data/eng/4.0.0_best_int/eng.traineddata.gz?url'
import portugueseUrl from '@tesseract.js-data/por/4.0.0_best_int/por.traineddata.gz?url'
import spanishUrl from '@tesseract.js-data/spa/4.0.0_best_int/spa.traineddata.gz?url'
import coreUrl from 'tesseract.js-core/tesseract-core-simd-lstm.wasm?url'
import { pdfFiles } from './pdf-files'

/** Read PDFs and pictures in a worker. Loaded with the first of them: each is larger than the app. */
export async function browserLoaders(): Promise<Pick<ReadOptions, 'pdf' | 'ocr'>> {
  const { browserPdf } = await import('@parley/reader/browser-pdf')
  return { pdf: browserPdf(pdfFiles()), ocr: ocrWhenUsed() }
}

/** Nothing of it is fetched before there is a picture or a scanned page. */
function ocrWhenUsed(): Ocr {
  let loading: Promise<Ocr> | undefined
  const load = async (): Promise<Ocr> => {
    const { browserOcr } = await import('@parley/reader/browser-ocr')
    const at = (url: string): string => new URL(url, location.href).href
    return browserOcr({
      coreUrl: at(coreUrl),
      languageUrls: { eng: at(englishUrl), por: at(portugueseUrl), spa: at(spanishUrl) },
    })
  }
  return {
    async recognise(picture, signal) {
      loading ??= load()
      return (await loading).recognise(picture, signal)
    },
    async end() {
      await (await loading)?.end()
    },
  }
}
