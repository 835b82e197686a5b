import { createWorker, OEM } from 'tesseract.js'
import { bounds } from './bounds'
import type { Ocr, Picture } from './ocr'
import { createOcr, ocrLanguages, onOcrError } from './ocr-engine'

/** Whole addresses: the worker of `tesseract.js`, a file of `tesseract.js-core`, the folder of `*.traineddata.gz`. */
export type BrowserOcrFiles = { workerUrl: string; coreUrl: string; languagesUrl: string }

/** OCR in a page or worker. Everything is loaded from the app's own addresses. */
export function browserOcr({ workerUrl, coreUrl, languagesUrl }: BrowserOcrFiles): Ocr {
  return createOcr({
    prepare,
    start: () =>
      createWorker(ocrLanguages, OEM.LSTM_ONLY, {
        workerPath: workerUrl,
        corePath: coreUrl,
        langPath: languagesUrl,
        workerBlobURL: false,
        cacheMethod: 'none',
        errorHandler: onOcrError,
      }),
  })
}

const smallWidth = 1_000
const maxSide = 4_000

async function prepare({ bytes, mediaType }: Picture): Promise<Uint8Array> {
  const bitmap = await createImageBitmap(new Blob([bytes.slice()], { type: mediaType }), {
    imageOrientation: 'from-image',
  })
  try {
    const { width, height } = bitmap
    if (width * height > bounds.maxPixels) throw new Error('too many pixels')
    const scale = width < smallWidth ? 2 : Math.min(1, maxSide / Math.max(width, height))
    const canvas = new OffscreenCanvas(Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale)))
    const context = canvas.getContext('2d')
    if (!context) throw new Error('no canvas')
    context.fillStyle = '#fff'
    context.fillRect(0, 0, canvas.width, canvas.height)
    context.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
    return new Uint8Array(await (await canvas.convertToBlob({ type: 'image/png' })).arrayBuffer())
  } finally {
    bitmap.close()
  }
}
