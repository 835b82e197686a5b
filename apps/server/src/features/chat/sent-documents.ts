// What the question of a device carries of its sources: the server reads it, answers, and keeps nothing of it.
import { promisify } from 'node:util'
import { inflateRaw } from 'node:zlib'
import type { CreateChatMessage } from '@parley/contract/chat'
import { AppError } from '@parley/contract/errors'
import { serverLimits } from '@parley/contract/limits/server'
import { limits } from '@parley/contract/limits/shared'
import type { SentPicture } from '@parley/contract/sent-pictures'
import { type SentSource, SentSources } from '@parley/contract/sent-sources'
import * as z from 'zod/mini'
import { sizeOfPicture } from '../../providers/pictures'
import { isShaped } from './frame-shape'

export type SentAlong = { sources: SentSource[]; pictures: SentPicture[] }

/**
 * The sources and pictures of a question. Bounded before and while it is unpacked, and in its shape before it is
 * parsed. Throws source.sent-invalid, which tells nothing of what is in it.
 */
export async function readSentAlong({
  compressedDocuments,
  pictures = [],
}: Pick<CreateChatMessage, 'compressedDocuments' | 'pictures'>): Promise<SentAlong> {
  if (compressedDocuments === undefined && pictures.length === 0) return { sources: [], pictures: [] }
  try {
    const sources = compressedDocuments === undefined ? [] : await sourcesIn(compressedDocuments)
    requireConsistent(sources, pictures)
    for (const picture of pictures) await requirePicture(picture)
    return { sources, pictures }
  } catch {
    // Without the cause: errors of parsers quote what they could not parse.
    throw invalid()
  }
}

const invalid = (): AppError => new AppError('source.sent-invalid')

const inflate = promisify(inflateRaw)

async function sourcesIn(compressed: string): Promise<SentSource[]> {
  const { maxCompressedBytes, maxInflatedBytes } = limits.sources
  if (compressed.length > maxCompressedBytes) throw invalid()
  const json = await inflate(bytesOf(compressed), { maxOutputLength: maxInflatedBytes })
  const shape = { maxDepth: serverLimits.sources.maxSentDepth, maxValues: serverLimits.sources.maxSentValues }
  if (!isShaped(json, shape)) throw invalid()
  const text = new TextDecoder('utf-8', { fatal: true }).decode(json)
  return z.parse(SentSources, JSON.parse(text)).sources
}

/** Node.js leaves out what is no base64. */
function bytesOf(base64: string): Buffer {
  if (base64.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(base64)) throw invalid()
  return Buffer.from(base64, 'base64')
}

/** No number, and no source, is there twice, and each picture is of a source. */
function requireConsistent(sources: readonly SentSource[], pictures: readonly SentPicture[]): void {
  const passages = sources.flatMap((source) => source.passages)
  const ids = new Set(sources.map(({ fileId }) => fileId))
  const bytesOfPictures = pictures.reduce((sum, { data }) => sum + data.length, 0)
  const isConsistent =
    passages.length <= limits.sources.maxSentPassages &&
    new Set(passages.map(({ n }) => n)).size === passages.length &&
    ids.size === sources.length &&
    bytesOfPictures <= limits.sources.maxPicturesBytes &&
    pictures.every(({ fileId }) => ids.has(fileId))
  if (!isConsistent) throw invalid()
}

/** As large as the client may send it: what a model counts of a larger one is held by nobody. */
async function requirePicture({ data, mediaType }: SentPicture): Promise<void> {
  const { width, height, format } = await sizeOfPicture(bytesOf(data))
  const isOwn = mediaType === `image/${format}`
  if (!isOwn || Math.max(width, height) > limits.sources.maxPicturePixels) throw invalid()
}
