import * as z from 'zod/mini'
import type { Bus } from '../../providers/bus'

const topic = 'chat:broadcast'
const Broadcast = z.object({ id: z.string(), content: z.string() })
/** `id`: a reader who hears it twice shows it once. */
export type Broadcast = z.infer<typeof Broadcast>

/** To everybody who is connected, on every node; nothing keeps it for the others. */
export async function broadcast(bus: Bus, message: Broadcast): Promise<void> {
  await bus.publish(topic, JSON.stringify(message))
}

/** Answers the end of it. */
export function onBroadcast(bus: Bus, listener: (message: Broadcast) => void): Promise<() => Promise<void>> {
  return bus.subscribe(topic, (raw) => {
    // Of a later version there may be others.
    const message = z.safeParse(Broadcast, JSON.parse(raw))
    if (message.success) listener(message.data)
  })
}
