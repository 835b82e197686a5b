import { AppError } from '@parley/contract/errors'
import type { ScannedLine } from '@parley/contract/read-document'
import type { Block, Line } from 'tesseract.js'
import type { Ocr, Picture, RecognisedParagraph } from './ocr'

export const ocrLanguages = ['eng', 'por', 'spa']

/** The engine with its languages in memory. */
export type Recogniser = { recognise(picture: Uint8Array): Promise<readonly Block[]>; terminate(): Promise<unknown> }

/** A picture as the engine is given it, with its size in pixels. */
export type PreparedPicture = { bytes: Uint8Array; width: number; height: number }

type Engine = {
  start(): Promise<Recogniser>
  /** The picture upright, in a format that every build of the engine reads. Throws where it cannot be decoded. */
  prepare(picture: Picture): Promise<PreparedPicture>
}

/** Less certain text is mostly none: patterns in a photograph that look like letters. */
const minConfidence = 45

/** Reads one picture at a time. A worker that failed or was interrupted is ended, the next picture starts another. */
export function createOcr({ start, prepare }: Engine): Ocr {
  let starting: Promise<Recogniser> | undefined
  let queue: Promise<unknown> = Promise.resolve()

  const end = async (): Promise<void> => {
    const ending = starting
    starting = undefined
    await ending?.then((worker) => worker.terminate()).catch(() => undefined)
  }

  const recogniseNext = async (picture: Picture, signal?: AbortSignal): Promise<RecognisedParagraph[]> => {
    if (signal?.aborted) throw new AppError('source.cancelled')
    const prepared = await prepare(picture).catch((error: unknown) => {
      throw new AppError('source.damaged', { cause: error })
    })
    starting ??= start()
    const worker = await starting.catch(async (error: unknown) => {
      await end()
      throw error instanceof AppError ? error : new AppError('source.unreadable', { cause: error })
    })
    try {
      return paragraphsOf(await orAborted(worker.recognise(prepared.bytes), signal), prepared)
    } catch (error) {
      await end()
      throw error instanceof AppError ? error : new AppError('source.damaged', { cause: error })
    }
  }

  return {
    recognise(picture, signal) {
      const recognised = queue.then(() => recogniseNext(picture, signal))
      queue = recognised.catch(() => undefined)
      return recognised
    },
    end,
  }
}

function orAborted<T>(work: Promise<T>, signal?: AbortSignal): Promise<T> {
  if (!signal) return work
  return new Promise((resolve, reject) => {
    const abort = () => reject(new AppError('source.cancelled'))
    signal.addEventListener('abort', abort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}

type Size = Pick<PreparedPicture, 'width' | 'height'>

function paragraphsOf(blocks: readonly Block[], size: Size): RecognisedParagraph[] {
  return blocks
    .flatMap(({ paragraphs }) => paragraphs)
    .filter(({ confidence }) => confidence >= minConfidence)
    .map(({ lines: ofPicture }) => {
      const lines = ofPicture.map((line) => lineOf(line, size))
      return { text: linesJoined(lines.map(({ text }) => text)), lines }
    })
    .filter(({ text }) => /[\p{L}\p{N}]/u.test(text))
}

function lineOf({ text, bbox }: Line, { width, height }: Size): ScannedLine {
  return {
    text: text.trim(),
    box: [part(bbox.x0, width), part(bbox.y0, height), part(bbox.x1, width), part(bbox.y1, height)],
  }
}

/** As exact as a screen shows it. */
const part = (pixels: number, of: number): number => Math.min(1, Math.max(0, Math.round((pixels / of) * 1e4) / 1e4))

/** Words that were divided at the end of a line are whole again. */
function linesJoined(lines: readonly string[]): string {
  return lines.reduce((text, line) => {
    if (/\p{L}-$/u.test(text) && /^\p{Ll}/u.test(line)) return text.slice(0, -1) + line
    return text === '' ? line : `${text}\n${line}`
  }, '')
}
