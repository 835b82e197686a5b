import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { bounds } from './bounds'
import type { Ocr, Picture } from './ocr'
import { createOcr, ocrLanguages, type PreparedPicture, type Recogniser } from './ocr-engine'
import { sizeOfBmp } from './picture-size'

/**
 * OCR under Node, with the languages of the npm packages: nothing is fetched. What it is made of loads with the first
 * picture: a process that reads a text does without.
 */
export function nodeOcr(): Ocr {
  let folder: string | undefined
  const engine = createOcr({
    prepare,
    async start(): Promise<Recogniser> {
      folder ??= languageFolder()
      const { createWorker, OEM } = await import('tesseract.js')
      const worker = await createWorker(ocrLanguages, OEM.LSTM_ONLY, {
        langPath: folder,
        cacheMethod: 'none',
        errorHandler: onOcrError,
      })
      return {
        async recognise(bytes) {
          const { data } = await worker.recognize(bytes as never, {}, { text: true, blocks: true })
          return data.blocks ?? []
        },
        terminate: () => worker.terminate(),
      }
    },
  })
  return {
    recognise: engine.recognise,
    async end() {
      await engine.end()
      if (folder) rmSync(folder, { recursive: true, force: true })
      folder = undefined
    },
  }
}

/** Without a handler of its own tesseract.js throws in a message handler, which ends a process. */
const onOcrError = (): undefined => undefined

/** The engine reads all languages from one folder, but each is a package. */
function languageFolder(): string {
  const { resolve } = createRequire(import.meta.url)
  const folder = mkdtempSync(join(tmpdir(), 'parley-ocr-'))
  for (const language of ocrLanguages) {
    const data = `${language}.traineddata.gz`
    const home = dirname(resolve(`@tesseract.js-data/${language}/package.json`))
    symlinkSync(join(home, '4.0.0_best_int', data), join(folder, data))
  }
  return folder
}

/** Letters are read best from about 300 dots an inch: small pictures are drawn larger. */
const smallWidth = 1_000
const maxSide = 4_000

async function prepare({ bytes, mediaType }: Picture): Promise<PreparedPicture> {
  // sharp does not read BMP, the engine does.
  if (mediaType === 'image/bmp') return { bytes, ...sizeOfBmp(bytes) }
  const { default: sharp } = await import('sharp')
  const image = sharp(bytes, { limitInputPixels: bounds.maxPixels, failOn: 'error' })
  const { width = smallWidth } = await image.metadata()
  const enlarged = width < smallWidth ? { width: width * 2 } : { width: maxSide, height: maxSide }
  const { data, info } = await image
    .rotate()
    .flatten({ background: '#ffffff' })
    .resize({ ...enlarged, fit: 'inside', withoutEnlargement: width >= smallWidth })
    .png()
    .toBuffer({ resolveWithObject: true })
  return { bytes: data, width: info.width, height: info.height }
}
