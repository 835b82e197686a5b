import * as z from 'zod/mini'
import type { Bus } from '../../../providers/bus/bus'

const topic = 'chat:broadcast'
const Broadcast = z.object({ id: z.string(), content: z.string() })
/** A client that receives the same `id` twice shows it once. */
export type Broadcast = z.infer<typeof Broadcast>

/** Reaches everybody who is connected to any node; it is not stored for the others. */
export async function publishBroadcast(bus: Bus, broadcast: Broadcast): Promise<void> {
  await bus.publish(topic, JSON.stringify(broadcast))
}

/** Resolves to a function that ends the subscription. */
export function onBroadcast(bus: Bus, listener: (broadcast: Broadcast) => void): Promise<() => Promise<void>> {
  return bus.subscribe(topic, (raw) => {
    // A node of a later version may publish another shape.
    const broadcast = z.safeParse(Broadcast, JSON.parse(raw))
    if (broadcast.success) listener(broadcast.data)
  })
}
