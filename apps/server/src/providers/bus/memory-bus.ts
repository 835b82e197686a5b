import type { FastifyBaseLogger } from 'fastify'
import type { Bus } from './bus'
import { MemoryStreamLog } from './memory-stream-log'

/**
 * A listener that throws, at a message of a later version for example, keeps the others from nothing: neither their
 * messages nor the rest of what came.
 */
export function deliver(
  listener: (message: string) => void,
  message: string,
  logger: Pick<FastifyBaseLogger, 'warn'> | undefined,
): void {
  try {
    listener(message)
  } catch (error) {
    logger?.warn({ err: error }, 'a message of the bus was not understood')
  }
}

/** Events, counters and logs of one process. */
export class MemoryBus implements Bus {
  readonly log = new MemoryStreamLog()
  private readonly listeners = new Map<string, Set<(message: string) => void>>()
  private readonly counters = new Map<string, { count: number; resetAt: number }>()
  private readonly sweep = setInterval(() => this.forgetOldCounters(), 60_000).unref()

  constructor(private readonly logger?: Pick<FastifyBaseLogger, 'warn'>) {}

  async publish(topic: string, message: string): Promise<void> {
    for (const listener of this.listeners.get(topic) ?? []) deliver(listener, message, this.logger)
  }

  async subscribe(topic: string, listener: (message: string) => void): Promise<() => Promise<void>> {
    const listeners = this.listeners.get(topic) ?? new Set()
    this.listeners.set(topic, listeners.add(listener))
    return async () => {
      listeners.delete(listener)
      if (listeners.size === 0 && this.listeners.get(topic) === listeners) this.listeners.delete(topic)
    }
  }

  async count(key: string, windowMs: number): Promise<{ count: number; resetMs: number }> {
    const now = Date.now()
    const known = this.counters.get(key)
    const counter = known && known.resetAt > now ? known : { count: 0, resetAt: now + windowMs }
    counter.count++
    this.counters.set(key, counter)
    return { count: counter.count, resetMs: counter.resetAt - now }
  }

  async forget(key: string): Promise<void> {
    this.counters.delete(key)
  }

  async healthy(): Promise<boolean> {
    return true
  }

  async close(): Promise<void> {
    clearInterval(this.sweep)
    this.log.close()
    this.listeners.clear()
    this.counters.clear()
  }

  private forgetOldCounters(): void {
    const now = Date.now()
    for (const [key, { resetAt }] of this.counters) if (resetAt <= now) this.counters.delete(key)
  }
}
