import type { FastifyBaseLogger } from 'fastify'
import * as z from 'zod/mini'
import type { Bus } from '../../providers/bus'

const topic = 'credits:changed'
const Changed = z.object({ userId: z.string() })

/**
 * Tells every node whose credits changed, after it has happened; how much there is now, a node asks for itself when it tells the person, so that news that
 * overtake each other never show an older amount. Never throws: whoever misses the news reads the balance the next time they ask.
 */
export class CreditNews {
  constructor(private readonly deps: { bus: Bus; log: FastifyBaseLogger }) {}

  async changed(userId: string): Promise<void> {
    try {
      await this.deps.bus.publish(topic, JSON.stringify({ userId }))
    } catch (error) {
      this.deps.log.warn({ err: error }, 'a change of credits could not be told')
    }
  }

  /** Answers the end of it. */
  follow(listener: (userId: string) => void): Promise<() => Promise<void>> {
    return this.deps.bus.subscribe(topic, (raw) => listener(z.parse(Changed, JSON.parse(raw)).userId))
  }
}
