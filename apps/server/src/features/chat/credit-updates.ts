import type { FastifyBaseLogger } from 'fastify'
import type { CreditEvents } from '../credits/public/credit-events'
import type { OpenSockets } from './open-sockets'

type Deps = {
  creditEvents: CreditEvents
  /** The balance in dollars. */
  creditsOf: (userId: string) => Promise<number>
  sockets: OpenSockets
  log: FastifyBaseLogger
}

/**
 * Sends people their balance when it changes, on every open socket. Coalesces concurrent changes of one person, and
 * reads the balance only after the one before was sent, so that no tab ends up with an older amount. Resolves to a
 * function that ends the subscription.
 */
export function sendCreditUpdates({ creditEvents, creditsOf, sockets, log }: Deps): Promise<() => Promise<void>> {
  const active = new Map<string, { isChanged: boolean }>()
  const update = async (userId: string): Promise<void> => {
    const running = active.get(userId)
    if (running) {
      running.isChanged = true
      return
    }
    const state = { isChanged: true }
    active.set(userId, state)
    try {
      while (state.isChanged && sockets.ofPerson(userId).length > 0) {
        state.isChanged = false
        const frame = JSON.stringify({ event: 'credits-updated', content: await creditsOf(userId) })
        for (const { connection } of sockets.ofPerson(userId)) void connection.send(frame)
      }
    } catch (error) {
      log.warn({ err: error }, 'a change of credits could not be told')
    } finally {
      active.delete(userId)
    }
  }
  return creditEvents.subscribe((userId) => void update(userId))
}
