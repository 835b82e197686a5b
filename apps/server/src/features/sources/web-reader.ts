import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { gunzipSync, gzipSync } from 'node:zlib'
import { AppError } from '@parley/contract/errors'
import { serverLimits } from '@parley/contract/limits/server'
import { type Passage, ReadDocument } from '@parley/contract/read-document'
import type { FetchedPage } from '@parley/contract/sources'
import { passagesOf } from '@parley/reader/passages'
import * as z from 'zod/mini'
import type { PublicWeb } from '../../providers/egress'
import { readVideo, youtubeIdOf } from '../../providers/web/videos'
import type { ReadingResult } from './reader-frames'
import { type ReaderOptions, type Receiver, readInProcess } from './reader-process'
import { resultOf } from './reading-result'

type Deps = { publicWeb: PublicWeb; reader?: Partial<ReaderOptions> | undefined; now: () => number }
type Link = { type: 'website' | 'video'; url: string }
/** `language`: the person's, such as pt-BR. */
type Order = { signal: AbortSignal; language?: string }

const limits = serverLimits.sources
const videoMediaType = 'text/vtt'
/** One statement takes so many. */
const passagesAtOnce = 500

/** A page of the web as its passages; `url` is where it was found, after redirects. */
export type PassagesOfPage = {
  url: string
  title: string
  mediaType: string
  bytes: number
  /** How many passages it has in all. */
  of: number
  passages: Passage[]
}

/** Fetches websites and videos, and reads what came in a process of its own. Throws source.…. */
export class WebReader {
  private running = 0

  constructor(private readonly deps: Deps) {}

  async read(link: Link, receiver: Receiver, order: Order): Promise<ReadingResult> {
    return (await this.readAt(link, receiver, order)).result
  }

  /** For a device: nothing of it is kept. Throws unavailable where too many are read at once. */
  async fetch(given: string, order: Order): Promise<FetchedPage> {
    if (this.running >= limits.pagesAtOncePerNode) throw new AppError('unavailable', { retryAfter: 5 })
    this.running++
    try {
      const type = youtubeIdOf(given) === undefined ? 'website' : 'video'
      const zipped: Buffer[] = []
      const receiver: Receiver = {
        onProgress: async () => undefined,
        onDocument: async (gzip) => void zipped.push(await buffer(gzip)),
        onPassages: async () => undefined,
      }
      const { url, result } = await this.readAt({ type, url: given }, receiver, order)
      const maxOutputLength = limits.maxFetchedDocumentBytes
      const document = z.parse(
        ReadDocument,
        JSON.parse(gunzipSync(Buffer.concat(zipped), { maxOutputLength }).toString()),
      )
      const fetchedAt = new Date(this.deps.now()).toISOString()
      const title = result.title ?? new URL(url).hostname
      return { url, title, type, mediaType: result.mediaType, fetchedAt, document }
    } finally {
      this.running--
    }
  }

  /**
   * For one question: nothing of it is kept, and of a long page the first `maxPassages` alone. How many pages are read
   * at once is the caller's matter.
   */
  async passagesOf(given: string, { maxPassages, ...order }: Order & { maxPassages: number }): Promise<PassagesOfPage> {
    const passages: Passage[] = []
    const receiver: Receiver = {
      onProgress: async () => undefined,
      onDocument: async (gzip) => {
        for await (const _part of gzip);
      },
      onPassages: async (more) => void passages.push(...more.slice(0, maxPassages - passages.length)),
    }
    const type = youtubeIdOf(given) === undefined ? 'website' : 'video'
    const { url, bytes, result } = await this.readAt({ type, url: given }, receiver, order)
    const { mediaType, passages: of, title = new URL(url).hostname } = result
    return { url, title, mediaType, bytes, of, passages }
  }

  private async readAt(
    { type, url: given }: Link,
    receiver: Receiver,
    { signal, language = 'en' }: Order,
  ): Promise<{ url: string; bytes: number; result: ReadingResult }> {
    const { publicWeb, reader } = this.deps
    if (type === 'video') {
      const id = youtubeIdOf(given)
      if (id === undefined) throw new AppError('source.video-unavailable')
      const video = await readVideo(id, { web: publicWeb, signal, language })
      const read = await handOver(video.document, receiver)
      const result = { ...read, title: video.title, mediaType: videoMediaType }
      return { url: given, bytes: result.characters, result }
    }
    const { url, bytes, mediaType } = await publicWeb(given, { signal, language })
    if (bytes.length === 0) throw new AppError('source.no-text')
    const options = { timeMs: limits.readMs, memoryBytes: limits.readerMemoryBytes, ...reader, signal }
    const content = Readable.from([Buffer.from(bytes)])
    const file = { name: nameOf(url, mediaType), bytes: bytes.length }
    return { url, bytes: bytes.length, result: await readInProcess(file, content, receiver, options) }
  }
}

/** What has its structure already, such as captions. */
export async function handOver(document: ReadDocument, receiver: Receiver): Promise<Omit<ReadingResult, 'mediaType'>> {
  const passages = passagesOf(document)
  await receiver.onDocument(Readable.from([gzipSync(JSON.stringify(document))]))
  for (let at = 0; at < passages.length; at += passagesAtOnce)
    await receiver.onPassages(passages.slice(at, at + passagesAtOnce))
  return resultOf(document, passages.length)
}

const extensions: Record<string, string> = {
  'text/html': 'html',
  'application/xhtml+xml': 'html',
  'text/markdown': 'md',
  'text/csv': 'csv',
  'application/json': 'json',
  'application/pdf': 'pdf',
}

/** The reader looks at the content; where that is plain text, the name tells what it is. */
function nameOf(url: string, mediaType: string): string {
  const last = new URL(url).pathname.split('/').at(-1) ?? ''
  const extension = extensions[mediaType]
  return extension === undefined ? last || 'page.txt' : `page.${extension}`
}
