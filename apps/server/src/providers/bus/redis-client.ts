import type { FastifyBaseLogger } from 'fastify'
import { createClient } from 'redis'

/** Redis answers in a millisecond or two; what takes this long is an outage. */
const answerMs = 1_000
const lookMs = 500

/** So long a start waits for Redis. */
const startMs = 1_000

/**
 * A connection that fails at once while Redis is away or takes everything and answers nothing, and comes back by
 * itself. A node that starts meanwhile goes on alone until then. `onReady` is called with each new connection. Throws
 * when Redis refuses this node, which no waiting mends.
 */
export async function connectRedis(
  url: string,
  log: FastifyBaseLogger,
  onReady?: () => void,
): Promise<RedisConnection> {
  const client = newClient(url, (retries) => Math.min(100 * 2 ** Math.min(retries, 5), 2_000))
  client.on('error', (error: unknown) => log.warn({ err: error }, 'Redis'))
  if (onReady) client.on('ready', onReady)
  let timer: NodeJS.Timeout | undefined
  const isLate = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), startMs)
  })
  const connecting = client.connect()
  const start = await Promise.race([connecting, isLate]).finally(() => clearTimeout(timer))
  if (start === 'late') {
    connecting.catch((error: unknown) => log.error({ err: error }, 'Redis refuses this node'))
    log.warn('Redis cannot be reached: this node goes on alone until it can')
  }
  return new RedisConnection(client)
}

function newClient(url: string, reconnectStrategy: (retries: number) => number | Error) {
  return createClient({
    url,
    disableOfflineQueue: true,
    pingInterval: 5_000,
    socket: {
      connectTimeout: 5_000,
      // A peer that vanished without a word: nothing is written to a silent connection, so this ends it.
      socketTimeout: 15_000,
      reconnectStrategy,
    },
  })
}

export type RedisClient = ReturnType<typeof newClient>

export class RedisConnection {
  private isSilent = false

  constructor(private readonly client: RedisClient) {}

  /** What Redis answers. Rejects when it does not within a second, and from then on at once until it answers again. */
  async ask<T>(question: (client: RedisClient) => Promise<T>): Promise<T> {
    if (this.isSilent) throw new Error('Redis is silent')
    let timer: NodeJS.Timeout | undefined
    const tooLate = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        if (!this.isSilent) this.awaitWord()
        reject(new Error('Redis has not answered in time'))
      }, answerMs)
    })
    try {
      return await Promise.race([question(this.client), tooLate])
    } finally {
      clearTimeout(timer)
    }
  }

  destroy(): void {
    this.client.destroy()
  }

  /**
   * One ping waits behind whatever Redis has not answered; when the connection was lost meanwhile, the next one goes
   * over the new one.
   */
  private awaitWord(): void {
    this.isSilent = true
    this.client.ping().then(
      () => {
        this.isSilent = false
      },
      () => setTimeout(() => this.awaitWord(), lookMs).unref(),
    )
  }
}
