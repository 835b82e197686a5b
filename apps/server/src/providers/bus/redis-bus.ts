import { randomUUID } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import type { Secrets } from '../../secrets'
import type { Bus } from './bus'
import { deliver, MemoryBus } from './memory-bus'
import { connectRedis, type RedisConnection } from './redis-client'
import { RedisStreamLog } from './redis-stream-log'
import { LogCipher } from './stream-log-cipher'

/** Of logs that are to be forgotten. */
const removedTopic = 'log-removed'
const channel = (topic: string): string => `parley:${topic}`

/** Events, counters and logs shared by all nodes. When Redis does not answer, each node goes on alone. */
export class RedisBus implements Bus {
  readonly log: RedisStreamLog
  private readonly node = randomUUID()
  /** What Redis could not be told: it is told with the next connection. */
  private readonly untold = new Map<(raw: string) => void, string>()

  private constructor(
    private readonly redis: RedisConnection,
    private readonly subscriber: RedisConnection,
    private readonly local: MemoryBus,
    private readonly logger: FastifyBaseLogger,
    secrets: Secrets,
  ) {
    this.log = new RedisStreamLog({
      redis,
      memory: local.log,
      channelOf: (id) => channel(`log:${id}`),
      onNotify: (id, listener) => this.subscribe(`log:${id}`, listener),
      publishRemoved: (id) => this.publish(removedTopic, id),
      cipher: new LogCipher(secrets),
      log: logger,
    })
  }

  static async connect(url: string, secrets: Secrets, logger: FastifyBaseLogger): Promise<RedisBus> {
    let onReady = (): void => undefined
    const [redis, subscriber] = await Promise.all([
      connectRedis(url, logger),
      connectRedis(url, logger, () => onReady()),
    ])
    const bus = new RedisBus(redis, subscriber, new MemoryBus(logger), logger, secrets)
    onReady = () => void bus.tellAgain()
    await bus.subscribe(removedTopic, (id) => void bus.log.removeHere(id))
    return bus
  }

  async publish(topic: string, message: string): Promise<void> {
    await this.local.publish(topic, message)
    await this.quietly(this.redis.ask((redis) => redis.publish(channel(topic), `${this.node} ${message}`)))
  }

  async subscribe(topic: string, listener: (message: string) => void): Promise<() => Promise<void>> {
    const stopLocal = await this.local.subscribe(topic, listener)
    // This node's own messages have been delivered without Redis.
    const fromOthers = (raw: string): void => {
      const space = raw.indexOf(' ')
      if (raw.slice(0, space) !== this.node) deliver(listener, raw.slice(space + 1), this.logger)
    }
    this.untold.set(fromOthers, topic)
    await this.tell(fromOthers, topic)
    return async () => {
      await stopLocal()
      this.untold.delete(fromOthers)
      await this.quietly(this.subscriber.ask((redis) => redis.unsubscribe(channel(topic), fromOthers)))
    }
  }

  async count(key: string, windowMs: number): Promise<{ count: number; resetMs: number }> {
    const name = `parley:count:${key}`
    const replies = await this.quietly(
      this.redis.ask((redis) => redis.multi().incr(name).pExpire(name, windowMs, 'NX').pTTL(name).exec()),
    )
    if (!replies) return this.local.count(key, windowMs)
    const [count, , left] = replies
    return { count: Number(count), resetMs: Math.max(0, Number(left)) }
  }

  async forget(key: string): Promise<void> {
    await this.local.forget(key)
    await this.quietly(this.redis.ask((redis) => redis.del(`parley:count:${key}`)))
  }

  async healthy(): Promise<boolean> {
    return (await this.quietly(this.redis.ask((redis) => redis.ping()))) === 'PONG'
  }

  async close(): Promise<void> {
    await this.local.close()
    this.subscriber.destroy()
    this.redis.destroy()
  }

  private async tell(listener: (raw: string) => void, topic: string): Promise<void> {
    const told = await this.quietly(
      this.subscriber.ask((redis) => redis.subscribe(channel(topic), listener).then(() => true)),
    )
    if (told) this.untold.delete(listener)
  }

  private async tellAgain(): Promise<void> {
    await Promise.all([...this.untold].map(([listener, topic]) => this.tell(listener, topic)))
  }

  private async quietly<T>(asked: Promise<T>): Promise<T | undefined> {
    try {
      return await asked
    } catch (error) {
      this.logger.warn({ err: error }, 'Redis does not answer')
      return undefined
    }
  }
}
