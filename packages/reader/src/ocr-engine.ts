import { AppError } from '@parley/contract/errors'
import type { Block } from 'tesseract.js'
import type { Ocr, Picture } from './ocr'

export const ocrLanguages = ['eng', 'por', 'spa']

/** The engine with its languages in memory. */
export type Recogniser = { recognise(picture: Uint8Array): Promise<readonly Block[]>; terminate(): Promise<unknown> }

type Engine = {
  start(): Promise<Recogniser>
  /** The picture upright, in a format that every build of the engine reads. Throws where it cannot be decoded. */
  prepare(picture: Picture): Promise<Uint8Array>
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

  const recogniseNext = async (picture: Picture, signal?: AbortSignal): Promise<string[]> => {
    if (signal?.aborted) throw new AppError('source.cancelled')
    const bytes = await prepare(picture).catch((error: unknown) => {
      throw new AppError('source.damaged', { cause: error })
    })
    starting ??= start()
    const worker = await starting.catch(async (error: unknown) => {
      await end()
      throw error instanceof AppError ? error : new AppError('source.unreadable', { cause: error })
    })
    try {
      return paragraphsOf(await orAborted(worker.recognise(bytes), signal))
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

function paragraphsOf(blocks: readonly Block[]): string[] {
  return blocks
    .flatMap(({ paragraphs }) => paragraphs)
    .filter(({ confidence }) => confidence >= minConfidence)
    .map(({ lines }) => linesJoined(lines.map(({ text }) => text.trim())))
    .filter((text) => /[\p{L}\p{N}]/u.test(text))
}

/** Words that were divided at the end of a line are whole again. */
function linesJoined(lines: readonly string[]): string {
  return lines.reduce((text, line) => {
    if (/\p{L}-$/u.test(text) && /^\p{Ll}/u.test(line)) return text.slice(0, -1) + line
    return text === '' ? line : `${text}\n${line}`
  }, '')
}
