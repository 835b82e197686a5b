import { limits } from '@parley/contract/limits'
import type { FastifyBaseLogger } from 'fastify'
import { MultiErrorReply } from 'redis'
import type { LogEntry } from './bus'
import type { LogCipher } from './log-cipher'
import type { MemoryStreamLog } from './memory-stream-log'
import type { RedisConnection } from './redis-client'

export type RedisLogOptions = {
  redis: RedisConnection
  memory: MemoryStreamLog
  /** Readers on other nodes are woken through it. */
  channelOf: (id: string) => string
  cipher: LogCipher
  log: FastifyBaseLogger
}

/** While an answer is written, and some time more in case nobody ends it. */
const runningMs = limits.upstream.totalMs + limits.chat.resumeWindowMs
const retryMs = 500

// Entry ids are `seq-part`: Redis refuses whatever is not newer, which keeps out a node whose answer was taken over.
const part = { entry: 0, snapshot: 1, end: 2 } as const
/** Everything of a seq but the end comes before this id. */
export const afterEntry = (seq: number): string => `(${seq}-${part.snapshot}`
export const redisKey = (id: string): string => `parley:gen:${id}`
export const seqOf = (entryId: string): number => Number(entryId.split('-')[0])

/**
 * Brings one answer of this node's memory to Redis, in order and never in the way of the answer: what comes while Redis is busy goes out together,
 * what comes while Redis is away follows when it is back.
 */
export class RedisLogCopy {
  private written = 0
  private snapshot: LogEntry | undefined
  isEnding = false
  private isWriting = false
  private hasFailed = false

  /** `onOver`: nothing is left to write, or another node has the answer now. */
  constructor(
    private readonly id: string,
    private readonly options: RedisLogOptions,
    private readonly onOver: (reason: 'done' | 'fenced') => void,
  ) {}

  compact(snapshot: LogEntry): void {
    this.snapshot = snapshot
    this.push()
  }

  finish(): void {
    this.isEnding = true
    this.push()
  }

  push(): void {
    if (!this.isWriting) void this.writeAll()
  }

  private async writeAll(): Promise<void> {
    this.isWriting = true
    try {
      if (this.hasFailed && (await this.catchUp()) === 'over') return
      while (await this.writeSome());
      if (this.isEnding) this.onOver('done')
    } catch (error) {
      if (isRefusal(error)) return this.onOver('fenced')
      this.hasFailed = true
      this.options.log.warn({ err: error }, 'stream log not written to Redis')
      // The memory forgets it in the end; until then Redis may come back.
      if (this.options.memory.has(this.id)) setTimeout(() => this.push(), retryMs).unref()
      else this.onOver('done')
    } finally {
      this.isWriting = false
    }
  }

  /** One transaction with everything that waits; false when nothing did. */
  private async writeSome(): Promise<boolean> {
    const { id, snapshot, isEnding } = this
    const { redis, memory, channelOf, cipher } = this.options
    const entries = memory.entriesAfter(id, this.written)
    if (entries.length === 0 && !snapshot && !isEnding) return false
    const key = redisKey(id)
    const newest = entries.at(-1)?.seq ?? this.written
    await redis.ask((client) => {
      const multi = client.multi()
      // Where the memory's own snapshot is not among the entries, because Redis has its seq already, it goes beside that seq.
      const isBeside = snapshot?.seq === this.written
      if (snapshot && isBeside) multi.xAdd(key, `${snapshot.seq}-${part.snapshot}`, { d: cipher.seal(id, snapshot) })
      for (const entry of entries) multi.xAdd(key, `${entry.seq}-${part.entry}`, { d: cipher.seal(id, entry) })
      if (snapshot) multi.xTrim(key, 'MINID', snapshotId(snapshot.seq, isBeside))
      if (isEnding) multi.xAdd(key, `${newest}-${part.end}`, { end: '1' })
      return multi
        .pExpire(key, isEnding ? limits.chat.resumeWindowMs : runningMs)
        .publish(channelOf(id), '')
        .exec()
    })
    this.written = newest
    if (this.snapshot === snapshot) this.snapshot = undefined
    return !isEnding
  }

  /** After a failure nobody knows what was written: Redis is asked. */
  private async catchUp(): Promise<'going on' | 'over'> {
    const [last] = (await this.options.redis.ask((client) => client.xRevRange(redisKey(this.id), '+', '-', { COUNT: 1 }))) ?? []
    this.hasFailed = false
    if (last?.message.end !== undefined) {
      this.onOver(this.isEnding ? 'done' : 'fenced')
      return 'over'
    }
    this.written = last ? seqOf(last.id) : 0
    if (!last) return 'going on'
    if (this.snapshot?.seq === this.written && last.id.endsWith(`-${part.snapshot}`)) this.snapshot = undefined
    return 'going on'
  }
}

const snapshotId = (seq: number, isBeside: boolean): string => `${seq}-${isBeside ? part.snapshot : part.entry}`

function isRefusal(error: unknown): boolean {
  const causes = error instanceof MultiErrorReply ? [...error.errors()] : [error]
  return causes.some((cause) => cause instanceof Error && cause.message.includes('equal or smaller'))
}

/** Appends to the log of another node, which cannot do it any more. */
export async function appendRemotely(id: string, entry: LogEntry, { redis, cipher, channelOf }: RedisLogOptions): Promise<void> {
  await redis.ask((client) =>
    client
      .multi()
      .xAdd(redisKey(id), `${entry.seq}-${part.entry}`, { d: cipher.seal(id, entry) })
      .publish(channelOf(id), '')
      .exec(),
  )
}

export async function finishRemotely(id: string, { redis, channelOf }: RedisLogOptions): Promise<void> {
  const [last] = (await redis.ask((client) => client.xRevRange(redisKey(id), '+', '-', { COUNT: 1 }))) ?? []
  if (!last || last.message.end !== undefined) return
  await redis.ask((client) =>
    client
      .multi()
      .xAdd(redisKey(id), `${seqOf(last.id)}-${part.end}`, { end: '1' })
      .pExpire(redisKey(id), limits.chat.resumeWindowMs)
      .publish(channelOf(id), '')
      .exec(),
  )
}
