import type { LogEntry, StreamLog } from './bus'
import { FencedError } from './memory-stream-log'
import type { RedisClient } from './redis-client'
import {
  afterEntry,
  endRemotely,
  RedisLogCopy,
  type RedisLogOptions,
  redisKey,
  sealRemotely,
  seqOf,
} from './redis-log-copy'

type Options = RedisLogOptions & {
  /** Calls the listener when the log of an answer has grown on another node. */
  onNotify: (id: string, listener: () => void) => Promise<() => Promise<void>>
  /** Tells the other nodes to forget a log. */
  publishRemoved: (id: string) => Promise<void>
}

/** A notification may be lost; a reader looks by itself this often. */
const lookMs = 1_000

/**
 * A Redis Stream for each answer, so that any node can show it; its contents are encrypted. What this node writes is
 * kept in its memory until Redis has the end: its own readers are served from there, and the answer goes on when Redis
 * does not.
 */
export class RedisStreamLog implements StreamLog {
  private readonly copies = new Map<string, RedisLogCopy>()

  constructor(private readonly options: Options) {}

  async append(id: string, entry: LogEntry): Promise<void> {
    const { memory } = this.options
    memory.requireOpen(id, entry.seq)
    // A log that another node took, or that was forgotten, is not begun again in its middle.
    if (entry.seq > 1 && !memory.has(id)) throw new FencedError('this node does not write this answer')
    await this.copyOf(id).append(entry)
    await memory.append(id, entry)
  }

  async finish(id: string): Promise<void> {
    if (!this.options.memory.has(id)) return
    await this.options.memory.finish(id)
    // Not waited for: it is finished for the readers of this node.
    void this.copyOf(id).finish()
  }

  async seal(id: string): Promise<LogEntry[] | undefined> {
    const own = await this.options.memory.seal(id)
    const remote = await this.quietly(() => sealRemotely(id, this.options))
    return own ?? remote
  }

  async end(id: string, frameOf: (seq: number) => string): Promise<void> {
    await this.options.memory.end(id, frameOf)
    await endRemotely(id, frameOf, this.options)
  }

  async compact(id: string, entry: LogEntry): Promise<void> {
    if (!this.options.memory.has(id)) return
    await this.options.memory.compact(id, entry)
    await this.copyOf(id).compact(entry)
  }

  /** Out of memory when Redis has it whole: a reader goes on there. */
  async *read(id: string, afterSeq: number, signal: AbortSignal): AsyncGenerator<LogEntry[]> {
    if (this.options.memory.has(id)) yield* this.options.memory.read(id, afterSeq, signal)
    else yield* this.readRemote(id, afterSeq, signal)
  }

  async lastSeq(id: string): Promise<number> {
    if (this.options.memory.has(id)) return this.options.memory.lastSeq(id)
    const [last] = (await this.ask((redis) => redis.xRevRange(redisKey(id), '+', '-', { COUNT: 1 }))) ?? []
    return last ? seqOf(last.id) : 0
  }

  async remove(id: string): Promise<void> {
    await this.removeHere(id)
    await this.ask((redis) => redis.del(redisKey(id)))
    await this.options.publishRemoved(id)
  }

  /** What another node has removed. */
  async removeHere(id: string): Promise<void> {
    this.copies.delete(id)
    await this.options.memory.remove(id)
  }

  private copyOf(id: string): RedisLogCopy {
    const known = this.copies.get(id)
    if (known) return known
    const copy = new RedisLogCopy(id, this.options, (reason) => {
      if (this.copies.get(id) !== copy) return
      this.copies.delete(id)
      // What Redis did not take stays here as long as it may be asked for.
      if (reason !== 'forgotten') this.options.memory.drop(id)
    })
    this.copies.set(id, copy)
    return copy
  }

  private async *readRemote(id: string, afterSeq: number, signal: AbortSignal): AsyncGenerator<LogEntry[]> {
    const { cipher } = this.options
    let wake: () => void = () => undefined
    let hasNews = false
    const stop = await this.options.onNotify(id, () => {
      hasNews = true
      wake()
    })
    const goOn = (): void => wake()
    signal.addEventListener('abort', goOn, { once: true })
    try {
      for (let seen = afterSeq; !signal.aborted; ) {
        hasNews = false
        const found = await this.ask(async (redis) => (await redis.xRange(redisKey(id), afterEntry(seen), '+')) ?? [])
        if (found === undefined || (found.length === 0 && (await this.isOver(id)))) return
        const batch = found.flatMap(({ id: entryId, message }) =>
          message.d === undefined ? [] : [cipher.open(id, seqOf(entryId), message.d)],
        )
        seen = batch.at(-1)?.seq ?? seen
        if (batch.length > 0) yield batch
        if (found.some(({ message }) => message.end !== undefined)) return
        if (hasNews || signal.aborted) continue
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, lookMs)
          wake = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      }
    } finally {
      signal.removeEventListener('abort', goOn)
      await stop()
    }
  }

  /** A reader may be ahead of the end: its node was shown more than it could write here. */
  private async isOver(id: string): Promise<boolean> {
    const [last] = (await this.ask((redis) => redis.xRevRange(redisKey(id), '+', '-', { COUNT: 1 }))) ?? []
    return !last || last.message.end !== undefined
  }

  private ask<T>(question: (redis: RedisClient) => Promise<T>): Promise<T | undefined> {
    return this.quietly(() => this.options.redis.ask(question))
  }

  private async quietly<T>(step: () => Promise<T>): Promise<T | undefined> {
    try {
      return await step()
    } catch (error) {
      this.options.log.warn({ err: error }, 'Redis does not answer for a stream log')
      return undefined
    }
  }
}
