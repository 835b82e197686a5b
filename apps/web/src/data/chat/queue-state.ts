// What the chat and its queues know of each other.
import { create } from 'zustand'
import { queuedChannels } from '../channels/queued-questions'

/** Why the first question of a queue waits, where no answer is being written. */
export type QueueWait = 'failed' | 'interrupted' | 'credits' | 'offline' | 'unsent'

/** By channel. */
export const useQueueWaits = create<Readonly<Record<string, QueueWait | undefined>>>(() => ({}))

/** What sends queued questions: it looks whether the first one of a channel, or of each, may be sent now. */
type QueuePump = { wake: (channelId: string) => void; wakeAll: () => Promise<void> }

let pump: QueuePump | undefined
let loadPump: () => Promise<QueuePump> = () => Promise.reject(new Error('nothing sends queued questions'))

/** `load`: called when a question waits. */
export function setPumpLoader(load: () => Promise<QueuePump>): void {
  loadPump = async () => {
    pump = await load()
    return pump
  }
}

/** An answer of this channel has ended. */
export const wakeQueue = (channelId: string): void => pump?.wake(channelId)

/** Sends what waits, of this page before a reload or of a closed tab; called again whenever runs are recovered. */
export async function startQueues(): Promise<void> {
  try {
    if (pump || (await queuedChannels()).size > 0) await (pump ?? (await loadPump())).wakeAll()
  } catch {
    // A locked vault, or no network to load it: it is called again after the unlock, and when the network is back.
  }
}

/** Channels that are about to be cleared, deleted or left. */
const paused = new Set<string>()

/** Sends nothing more of a channel by itself, until this page is loaded again or the person sends something of it. */
export function pauseQueue(channelId: string): void {
  paused.add(channelId)
}

export const resumeQueue = (channelId: string): boolean => paused.delete(channelId)

export const isQueuePaused = (channelId: string): boolean => paused.has(channelId)

/** Another person signed in. */
export function resetQueues(): void {
  paused.clear()
  useQueueWaits.setState({}, true)
}
