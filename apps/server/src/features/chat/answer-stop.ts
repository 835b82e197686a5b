import * as z from 'zod/mini'
import type { Bus } from '../../providers/bus/bus'
import type { RunningAnswer } from '../messages/public/running-answer-store'

const topic = 'chat:stop'
const StopMessage = z.object({ messageId: z.string(), subject: z.string() })

/** Stops an answer on whichever node writes it. */
export async function publishStop(bus: Bus, answer: RunningAnswer): Promise<void> {
  await bus.publish(topic, JSON.stringify(answer))
}

/** Resolves to a function that ends the subscription. */
export function onStop(bus: Bus, listener: (answer: RunningAnswer) => void): Promise<() => Promise<void>> {
  return bus.subscribe(topic, (raw) => {
    const stop = z.safeParse(StopMessage, JSON.parse(raw))
    if (stop.success) listener(stop.data)
  })
}
