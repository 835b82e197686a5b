// What the chat and its queues know of each other.
import { create } from 'zustand'
import { queuedChannels } from '../channels/queued-questions'
import { resetWithScope, scoped } from '../scope/scope'

/** Why the first question of a queue waits, where no answer is being written. */
export type QueueWait = 'failed' | 'interrupted' | 'credits' | 'offline' | 'unsent'

/** By channel. */
export const useQueueWaits = resetWithScope(create<Readonly<Record<string, QueueWait | undefined>>>(() => ({})))

/** What sends queued questions: it looks whether the first one of a channel, or of each, may be sent now. */
type QueuePump = { wake: (channelId: string) => void; wakeAll: () => Promise<void> }

type Queues = {
  /** Loaded when a question waits. */
  pump: QueuePump | undefined
  /** Channels that are about to be cleared, deleted or left. */
  paused: Set<string>
}
const queues = scoped((): Queues => ({ pump: undefined, paused: new Set() }))

let loadPump: () => Promise<QueuePump> = () => Promise.reject(new Error('nothing sends queued questions'))

/** Tells where the code is that sends queued questions. */
export function setPumpLoader(load: () => Promise<QueuePump>): void {
  loadPump = load
}

/** An answer of this channel has ended. */
export const wakeQueue = (channelId: string): void => queues().pump?.wake(channelId)

/** Sends what waits, of this page before a reload or of a closed tab; called again whenever runs are recovered. */
export async function startQueues(): Promise<void> {
  const own = queues()
  try {
    if (!own.pump && (await queuedChannels()).size === 0) return
    own.pump ??= await loadPump()
    if (own === queues()) await own.pump.wakeAll()
  } catch {
    // A locked vault, or no network to load it: it is called again after the unlock, and when the network is back.
  }
}

/** Sends nothing more of a channel by itself, until this page is loaded again or the person sends something of it. */
export function pauseQueue(channelId: string): void {
  queues().paused.add(channelId)
}

export const resumeQueue = (channelId: string): boolean => queues().paused.delete(channelId)

export const isQueuePaused = (channelId: string): boolean => queues().paused.has(channelId)
