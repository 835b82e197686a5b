import { serverLimits } from '@parley/contract/limits/server'
import type { FastifyBaseLogger } from 'fastify'
import type { LogEntry } from './bus'
import { FencedError, type MemoryStreamLog } from './memory-stream-log'
import type { RedisConnection } from './redis-client'
import { type Conflict, sealStream, writeBatch } from './redis-log-scripts'
import type { LogCipher } from './stream-log-cipher'

export type RedisLogOptions = {
  redis: RedisConnection
  memory: MemoryStreamLog
  /** Readers on other nodes are woken through it. */
  channelOf: (id: string) => string
  cipher: LogCipher
  log: FastifyBaseLogger
}

/** While an answer is written, and some time more in case nobody ends it. */
const runningMs = serverLimits.upstream.totalMs + serverLimits.chat.resumeWindowMs
const retryMs = 500

// Entry ids are `seq-part`.
const part = { entry: 0, snapshot: 1, end: 2 } as const
/** Everything of a seq but the end comes before this id. */
export const afterEntry = (seq: number): string => `(${seq}-${part.snapshot}`
export const redisKey = (id: string): string => `parley:gen:${id}`
export const seqOf = (entryId: string): number => Number(entryId.split('-')[0])

/**
 * Brings one answer of this node to Redis, in order. Whoever appends waits for Redis, so that what is shown is kept
 * when this node dies; but only while Redis answers: what comes while it is away follows from memory when it is back.
 */
export class RedisLogCopy {
  /** The last entry that is known to be in Redis; empty before the first. */
  private lastId = ''
  private snapshot: LogEntry | undefined
  private isEnding = false
  private isFenced = false
  private last: Promise<void> = Promise.resolve()
  private retry: NodeJS.Timeout | undefined

  /** `onOver`: nothing is left to write, or another node has the answer now. */
  constructor(
    private readonly id: string,
    private readonly options: RedisLogOptions,
    private readonly onOver: (reason: 'done' | 'fenced' | 'forgotten') => void,
  ) {}

  /**
   * Resolves when the entry, which memory does not have yet, is in Redis or Redis is away. Throws FencedError when
   * another node has the answer.
   */
  async append(entry: LogEntry): Promise<void> {
    await this.inTurn(() => this.writeAll(entry))
    if (this.isFenced) throw new FencedError('another node has this answer now')
  }

  async compact(snapshot: LogEntry): Promise<void> {
    this.snapshot = snapshot
    await this.inTurn(() => this.writeAll())
  }

  async finish(): Promise<void> {
    this.isEnding = true
    await this.inTurn(() => this.writeAll())
  }

  private inTurn(step: () => Promise<void>): Promise<void> {
    this.last = this.last.then(step)
    return this.last
  }

  /** Never throws. */
  private async writeAll(next?: LogEntry): Promise<void> {
    if (this.isFenced) return
    try {
      for (let conflict = await this.writeOnce(next); conflict; conflict = await this.writeOnce(next)) {
        if (!this.isOurs(conflict, next)) return this.fence()
        // What an earlier try wrote before its answer was lost, or what is left after Redis lost its memory: the rest
        // follows.
        this.lastId = conflict.lastId
        if (this.snapshot && this.hasPassed(this.snapshot)) this.snapshot = undefined
      }
      if (this.isEnding) this.onOver('done')
    } catch (error) {
      this.options.log.warn({ err: error }, 'stream log not written to Redis')
      if (next || this.options.memory.has(this.id)) this.retryLater()
      else this.onOver('forgotten')
    }
  }

  /** Everything that waits, or nothing where somebody else wrote: then it answers what. */
  private async writeOnce(next: LogEntry | undefined): Promise<Conflict | undefined> {
    const { id, snapshot, isEnding } = this
    const { redis, memory, channelOf, cipher } = this.options
    const written = this.lastId === '' ? 0 : seqOf(this.lastId)
    const missing = [...memory.entriesAfter(id, written), ...(next && next.seq > written ? [next] : [])]
    if (missing.length === 0 && !snapshot && !isEnding) return undefined
    // Where the memory's own snapshot is not among the entries, because Redis has its seq already, it goes beside that
    // seq.
    const isBeside = snapshot?.seq === written
    const besideId = snapshot && isBeside ? `${written}-${part.snapshot}` : undefined
    const entries = [
      ...(snapshot && besideId !== undefined ? [{ id: besideId, data: cipher.seal(id, snapshot) }] : []),
      ...missing.map((entry) => ({ id: `${entry.seq}-${part.entry}`, data: cipher.seal(id, entry) })),
    ]
    const lastId = entries.at(-1)?.id ?? this.lastId
    const conflict = await redis.ask((client) =>
      writeBatch(client, redisKey(id), {
        expectedId: this.lastId,
        entries,
        minId: snapshot && (besideId ?? `${snapshot.seq}-${part.entry}`),
        endId: isEnding ? `${seqOf(lastId)}-${part.end}` : undefined,
        ttlMs: isEnding ? serverLimits.chat.resumeWindowMs : runningMs,
        channel: channelOf(id),
      }),
    )
    if (conflict) return conflict
    this.lastId = lastId
    if (this.snapshot === snapshot) this.snapshot = undefined
    return undefined
  }

  /** Whatever follows a snapshot was written together with it. */
  private hasPassed({ seq }: LogEntry): boolean {
    return this.lastId === `${seq}-${part.snapshot}` || (this.lastId !== '' && seqOf(this.lastId) > seq)
  }

  /** Only the writer of an answer leaves a stream open; and nobody but it writes what it has. */
  private isOurs({ lastId, isClosed }: Conflict, next: LogEntry | undefined): boolean {
    const newest = next?.seq ?? this.options.memory.entriesAfter(this.id, 0).at(-1)?.seq ?? 0
    return !isClosed && (lastId === '' || seqOf(lastId) <= newest)
  }

  /** An end that this node has written itself, without hearing so, is no other's. */
  private fence(): void {
    this.isFenced = true
    clearTimeout(this.retry)
    this.onOver(this.isEnding ? 'done' : 'fenced')
  }

  /** The memory forgets it in the end; until then Redis may come back. */
  private retryLater(): void {
    clearTimeout(this.retry)
    this.retry = setTimeout(() => void this.inTurn(() => this.writeAll()), retryMs).unref()
  }
}

/** Keeps out the writer of an answer, and answers what is in its log. */
export async function sealRemotely(id: string, { redis, cipher }: RedisLogOptions): Promise<LogEntry[]> {
  await redis.ask((client) => sealStream(client, redisKey(id), { suffix: `-${part.end}`, ttlMs: runningMs }))
  const found = (await redis.ask((client) => client.xRange(redisKey(id), '-', '+'))) ?? []
  return found.flatMap(({ id: entryId, message }) =>
    message.d === undefined ? [] : [cipher.open(id, seqOf(entryId), message.d)],
  )
}

/** Writes the last entry of a log and its end in one. */
export async function endRemotely(
  id: string,
  frameOf: (seq: number) => string,
  { redis, cipher, channelOf }: RedisLogOptions,
): Promise<void> {
  for (;;) {
    const [last] = (await redis.ask((client) => client.xRevRange(redisKey(id), '+', '-', { COUNT: 1 }))) ?? []
    if (!last || last.message.end !== undefined) return
    const seq = seqOf(last.id) + 1
    const conflict = await redis.ask((client) =>
      writeBatch(client, redisKey(id), {
        expectedId: last.id,
        entries: [{ id: `${seq}-${part.entry}`, data: cipher.seal(id, { seq, frame: frameOf(seq) }) }],
        endId: `${seq}-${part.end}`,
        ttlMs: serverLimits.chat.resumeWindowMs,
        channel: channelOf(id),
      }),
    )
    if (!conflict) return
  }
}
