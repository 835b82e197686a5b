import { useSyncExternalStore } from 'react'

/** Channels that this page is moving. Both copies exist for a moment, which is not reported as an interrupted move. */
const moving = new Set<string>()
const listeners = new Set<() => void>()

const notifyListeners = (): void => {
  for (const listener of listeners) listener()
}

/** Runs the move of a channel, and reports it as in progress meanwhile. */
export async function trackMove<T>(channelId: string, move: () => Promise<T>): Promise<T> {
  moving.add(channelId)
  notifyListeners()
  try {
    return await move()
  } finally {
    moving.delete(channelId)
    notifyListeners()
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export function useIsMoving(channelId: string): boolean {
  return useSyncExternalStore(subscribe, () => moving.has(channelId))
}
