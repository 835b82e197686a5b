import type { LogEntry, StreamLog } from './bus'
import { FencedError } from './memory-stream-log'
import type { RedisClient } from './redis-client'
import { afterEntry, appendRemotely, finishRemotely, RedisLogCopy, type RedisLogOptions, redisKey, seqOf } from './redis-log-copy'

type Options = RedisLogOptions & {
  /** Calls the listener when the log of an answer has grown on another node. */
  onNotify: (id: string, listener: () => void) => Promise<() => Promise<void>>
}

/** A notification may be lost; a reader looks by itself this often. */
const lookMs = 1_000

/**
 * A Redis Stream for each answer, so that any node can show it; its contents are encrypted. What this node writes is kept in its memory as well: its own
 * readers are served from there, and the answer goes on when Redis does not.
 */
export class RedisStreamLog implements StreamLog {
  private readonly copies = new Map<string, RedisLogCopy>()
  private readonly fenced = new Set<string>()

  constructor(private readonly options: Options) {}

  async append(id: string, entry: LogEntry): Promise<void> {
    if (this.fenced.has(id)) throw new FencedError('another node has this answer now')
    if (!this.options.memory.has(id) && entry.seq > 1) return appendRemotely(id, entry, this.options)
    await this.options.memory.append(id, entry)
    this.copyOf(id).push()
  }

  async finish(id: string): Promise<void> {
    if (this.fenced.delete(id)) return
    if (!this.options.memory.has(id)) {
      await finishRemotely(id, this.options).catch((error: unknown) => this.options.log.warn({ err: error }, 'the end of a remote answer was not written'))
      return
    }
    await this.options.memory.finish(id)
    this.copyOf(id).finish()
  }

  async compact(id: string, entry: LogEntry): Promise<void> {
    if (this.fenced.has(id)) return
    await this.options.memory.compact(id, entry)
    this.copyOf(id).compact(entry)
  }

  async *read(id: string, afterSeq: number, signal: AbortSignal): AsyncGenerator<LogEntry[]> {
    if (this.options.memory.has(id)) yield* this.options.memory.read(id, afterSeq, signal)
    else yield* this.readRemote(id, afterSeq, signal)
  }

  async exists(id: string): Promise<boolean> {
    if (this.options.memory.has(id)) return true
    return (await this.quietly((redis) => redis.exists(redisKey(id)))) === 1
  }

  async lastSeq(id: string): Promise<number> {
    if (this.options.memory.has(id)) return this.options.memory.lastSeq(id)
    const [last] = (await this.quietly((redis) => redis.xRevRange(redisKey(id), '+', '-', { COUNT: 1 }))) ?? []
    return last ? seqOf(last.id) : 0
  }

  private copyOf(id: string): RedisLogCopy {
    const known = this.copies.get(id)
    if (known) return known
    const copy = new RedisLogCopy(id, this.options, (reason) => {
      this.copies.delete(id)
      if (reason === 'done') return
      if (!copy.isEnding) this.fenced.add(id)
      this.options.memory.forget(id)
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
        const found = await this.quietly(async (redis) => (await redis.xRange(redisKey(id), afterEntry(seen), '+')) ?? [])
        if (found === undefined || (found.length === 0 && !(await this.exists(id)))) return
        const batch = found.flatMap(({ id: entryId, message }) => (message.d === undefined ? [] : [cipher.open(id, seqOf(entryId), message.d)]))
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

  private async quietly<T>(question: (redis: RedisClient) => Promise<T>): Promise<T | undefined> {
    try {
      return await this.options.redis.ask(question)
    } catch (error) {
      this.options.log.warn({ err: error }, 'Redis does not answer for a stream log')
      return undefined
    }
  }
}
