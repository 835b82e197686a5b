import type { FastifyBaseLogger } from 'fastify'
import * as z from 'zod/mini'
import type { Bus } from '../../../providers/bus/bus'

const topic = 'credits:changed'
const Changed = z.object({ userId: z.string() })

/**
 * Publishes to all nodes whose balance changed, after the change is committed. The event carries no amount: a node that
 * receives it reads the balance itself, so that events out of order never show an older amount. A lost event is no
 * error: the person sees the balance with their next request.
 */
export class CreditEvents {
  constructor(private readonly deps: { bus: Bus; log: FastifyBaseLogger }) {}

  async publishChanged(userId: string): Promise<void> {
    try {
      await this.deps.bus.publish(topic, JSON.stringify({ userId }))
    } catch (error) {
      this.deps.log.warn({ err: error }, 'the event of changed credits could not be published')
    }
  }

  /** Calls the listener with the id of each person whose balance changed. Returns the unsubscription. */
  subscribe(listener: (userId: string) => void): Promise<() => Promise<void>> {
    return this.deps.bus.subscribe(topic, (raw) => listener(z.parse(Changed, JSON.parse(raw)).userId))
  }
}
