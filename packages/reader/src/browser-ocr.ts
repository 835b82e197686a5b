import { AppError } from '@parley/contract/errors'
import type { Block } from 'tesseract.js'
import { bounds } from './bounds'
import type { Ocr, Picture } from './ocr'
import { createOcr, ocrLanguages, type PreparedPicture, type Recogniser } from './ocr-engine'

/** Whole addresses: the WebAssembly of `tesseract.js-core`, and a `*.traineddata.gz` for each language. */
export type BrowserOcrFiles = { coreUrl: string; languageUrls: Readonly<Record<string, string>> }

/** Neural networks alone: the data of the languages has nothing else. */
const lstmOnly = 1

/**
 * OCR in a worker of the app's own, which it holds up while it reads a picture: so no second worker is started, and its
 * end ends this too. Everything is loaded from the app's own addresses.
 */
export function browserOcr(files: BrowserOcrFiles): Ocr {
  return createOcr({ prepare, start: () => startCore(files) })
}

async function startCore({ coreUrl, languageUrls }: BrowserOcrFiles): Promise<Recogniser> {
  const { default: load } = await import('tesseract.js-core/tesseract-core-simd-lstm.js')
  const silent = (): void => undefined
  const [wasmBinary, ...languages] = await Promise.all(
    [coreUrl, ...ocrLanguages.map((language) => languageUrls[language])].map(dataAt),
  )
  const core = await load({ wasmBinary, print: silent, printErr: silent })
  for (const [index, language] of ocrLanguages.entries())
    core.FS.writeFile(`./${language}.traineddata`, languages[index] ?? new Uint8Array())
  const api = new core.TessBaseAPI()
  if (api.Init(null, ocrLanguages.join('+'), lstmOnly) === -1) throw new Error('the engine did not start')
  return {
    async recognise(picture) {
      core.FS.writeFile('/input', picture)
      if (api.SetImageFile(1, 0) === 1) throw new Error('no picture')
      api.Recognize(null)
      return (JSON.parse(api.GetJSONText()) as { blocks: Block[] }).blocks
    },
    terminate: async () => api.End(),
  }
}

/** Inflated, where its server has not done that on its way. Throws network. */
async function dataAt(url: string | undefined): Promise<Uint8Array> {
  if (url === undefined) throw new Error('no data of a language')
  const data = await fetch(url).then(
    (response) => (response.ok ? response.blob() : Promise.reject(new AppError('network'))),
    (error: unknown) => Promise.reject(new AppError('network', { cause: error })),
  )
  const [first, second] = new Uint8Array(await data.slice(0, 2).arrayBuffer())
  const isGzip = first === 0x1f && second === 0x8b
  const inflated = isGzip ? data.stream().pipeThrough(new DecompressionStream('gzip')) : data.stream()
  return new Uint8Array(await new Response(inflated).arrayBuffer())
}

const smallWidth = 1_000
const maxSide = 4_000

async function prepare({ bytes, mediaType }: Picture): Promise<PreparedPicture> {
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
    const png = await canvas.convertToBlob({ type: 'image/png' })
    return { bytes: new Uint8Array(await png.arrayBuffer()), width: canvas.width, height: canvas.height }
  } finally {
    bitmap.close()
  }
}
