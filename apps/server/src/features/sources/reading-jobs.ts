import { randomUUID } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { AppError } from '@parley/contract/errors'
import { serverLimits } from '@parley/contract/limits/server'
import { ReadDocument } from '@parley/contract/read-document'
import type { SourceProgress } from '@parley/contract/sources'
import type { FastifyBaseLogger } from 'fastify'
import * as z from 'zod/mini'
import type { Db } from '../../db/client'
import type { Job } from '../../db/jobs'
import type { Scheduler } from '../../db/scheduler'
import type { ChannelEvents } from '../channels/public/channel-events'
import { fromStored, toStored } from '../messages/public/stored-text'
import type { AccountFiles } from './account-files'
import { insertPassages } from './passage-store'
import type { ReadingResult } from './reader-frames'
import { type ReaderOptions, type Receiver, readInProcess } from './reader-process'
import { readKind } from './reading-kind'
import { beginReading, endReading, finishReading, isFinished, noteProgress, type ReadingRow } from './source-store'
import type { VectorJobs } from './vector-jobs'
import { handOver, type WebReader } from './web-reader'

type Deps = {
  db: Db
  files: AccountFiles
  web: WebReader
  scheduler: Scheduler
  events: ChannelEvents
  log: FastifyBaseLogger
  /** Where passages are to have vectors. */
  vectors?: Pick<VectorJobs, 'enqueue'> | undefined
  /** What differs from the usual. */
  reader?: Partial<ReaderOptions> | undefined
  now: () => number
}

type Reading = { ownerId: string; sourceId: string; readingId: string }

const Payload = z.object({ ownerId: z.string() })
const limits = serverLimits.sources

/**
 * Reads sources as jobs: a reader, a node or the store may end in the middle, and another attempt begins. An attempt
 * writes under an id of its own, and only the newest one may finish, so that none writes over another's.
 */
export class ReadingJobs {
  constructor(private readonly deps: Deps) {}

  schedule(): void {
    this.deps.scheduler.handle(readKind, {
      concurrency: limits.readersPerNode,
      retryMs: (attempts) => Math.min(limits.maxRetryMs, limits.firstRetryMs * 4 ** (attempts - 1)),
      run: (job, signal) => this.run(job, signal),
    })
  }

  private async run({ key: sourceId, payload, attempts }: Job, signal: AbortSignal): Promise<void> {
    const { db } = this.deps
    const { ownerId } = z.parse(Payload, payload)
    const reading = { ownerId, sourceId, readingId: randomUUID() }
    const row = await beginReading(db, reading, this.at())
    if (!row) return
    await this.announce(row)
    const superseded = new AbortController()
    const heartbeat = setInterval(() => void this.beat(reading, superseded), limits.heartbeatMs)
    try {
      const result = await this.read(row, { reading, attempts }, AbortSignal.any([signal, superseded.signal]))
      if (!(await this.finish(reading, row, result))) await this.forget(reading)
      else this.deps.scheduler.wake()
    } catch (error) {
      const reason = signal.aborted ? undefined : reasonOf(error, attempts)
      const outcome = await this.end(reading, reason)
      // The database had taken it before its answer was lost.
      if (outcome !== 'finished') await this.forget(reading)
      if (outcome === 'ended' && reason === undefined) throw error
      this.deps.log.info({ outcome, reason, mediaType: row.mediaType, bytes: row.bytes }, 'a source was not read')
    } finally {
      clearInterval(heartbeat)
    }
    await this.announce(row)
  }

  private async read(
    row: ReadingRow,
    { reading, attempts }: { reading: Reading; attempts: number },
    signal: AbortSignal,
  ): Promise<ReadingResult> {
    const { db, files, web } = this.deps
    // The nodes that read it ended with it: another one would, too.
    if (attempts > limits.storeAttempts) throw new AppError('source.unreadable')
    const place = { ...reading, scope: row.channelId ?? row.id }
    const receiver: Receiver = {
      onProgress: async (progress) => {
        if (await noteProgress(db, reading, progress)) await this.announce(row, progress)
      },
      onDocument: (gzip) => files.write(documentOf(reading), gzip),
      onPassages: (passages) => insertPassages(db, place, passages),
    }
    // It has brought the text that was fetched elsewhere.
    if (row.fetchedAt !== null) return this.readBrought(row, receiver)
    if (row.type !== 'document') return web.read({ type: row.type, url: row.url ?? '' }, receiver, { signal })
    const stored = await files.readSealed({ ownerId: row.ownerId, folder: row.id, name: 'file' }, row.bytes)
    const file = { name: fromStored(row.name), bytes: row.bytes, fileKey: stored.fileKey.toString('base64') }
    const options = { timeMs: limits.readMs, memoryBytes: limits.readerMemoryBytes, ...this.deps.reader, signal }
    try {
      return await readInProcess(file, stored.chunks, receiver, options)
    } finally {
      // Also where the reader ended before it asked for the first piece.
      stored.close()
    }
  }

  /** Throws source.unreadable. */
  private async readBrought(row: ReadingRow, receiver: Receiver): Promise<ReadingResult> {
    const content = await this.deps.files.read({ ownerId: row.ownerId, folder: row.id, name: 'file' })
    const document = z.safeParse(ReadDocument, jsonOf(await text(content)))
    if (!document.success) throw new AppError('source.unreadable')
    return { ...(await handOver(document.data, receiver)), mediaType: row.mediaType }
  }

  private finish(
    reading: Reading,
    { type, name, fetchedAt }: ReadingRow,
    { title, excerpt, pages, ...result }: ReadingResult,
  ): Promise<boolean> {
    const at = this.at()
    const fetched = { name: title === undefined ? name : toStored(title), fetchedAt: at }
    const ofWeb = type === 'document' || fetchedAt !== null ? {} : fetched
    const outcome = { ...result, ...ofWeb, pages: pages ?? null, excerpt: toStored(excerpt), updatedAt: at }
    return this.deps.db.transaction(async (tx) => {
      const isFirst = await finishReading(tx, reading, outcome)
      if (isFirst) await this.deps.vectors?.enqueue(reading, tx)
      return isFirst
    })
  }

  private end(reading: Reading, reason: string | undefined): Promise<'ended' | 'finished' | 'superseded'> {
    return this.deps.db.transaction(async (tx) => {
      if (await endReading(tx, reading, { reason, at: this.at() })) return 'ended'
      return (await isFinished(tx, reading)) ? 'finished' : 'superseded'
    })
  }

  /** The source was removed, or another attempt has begun: this one is of no use any more. */
  private async beat(reading: Reading, superseded: AbortController): Promise<void> {
    try {
      if (!(await noteProgress(this.deps.db, reading, undefined))) superseded.abort()
    } catch {
      // Without the database nobody knows; the end of the reading asks again.
    }
  }

  /** What this attempt has put into the store. */
  private async forget(reading: Reading): Promise<void> {
    await this.deps.files
      .remove(documentOf(reading))
      .catch((error: unknown) => this.deps.log.warn({ err: error }, 'a text stays in the store until it is swept'))
  }

  /** Whoever waits for a file of an agent asks for it. */
  private async announce(
    { id: sourceId, ownerId: userId, channelId }: ReadingRow,
    progress?: SourceProgress,
  ): Promise<void> {
    if (channelId === null) return
    await this.deps.events.sourcesChanged(
      { userId, channelId },
      progress === undefined ? { sourceId } : { sourceId, progress },
    )
  }

  private at(): Date {
    return new Date(this.deps.now())
  }
}

function jsonOf(content: string): unknown {
  try {
    return JSON.parse(content)
  } catch {
    return undefined
  }
}

const documentOf = ({ ownerId, sourceId, readingId }: Reading) => ({
  ownerId,
  folder: sourceId,
  name: `document.${readingId}`,
})

/** Undefined: it may go better next time. */
function reasonOf(error: unknown, attempts: number): string | undefined {
  if (!(error instanceof AppError)) return attempts < limits.readAttempts ? undefined : 'source.unreadable'
  if (error.code === 'source.store') return attempts < limits.storeAttempts ? undefined : error.code
  return error.code
}
