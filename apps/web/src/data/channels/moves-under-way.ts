import { useSyncExternalStore } from 'react'

/** Channels that this page is moving just now. Both of their copies stand for a moment, which is nothing to tell anybody. */
const underWay = new Set<string>()
const listeners = new Set<() => void>()

const tell = (): void => {
  for (const listener of listeners) listener()
}

/** Does a move of a channel, and says while it lasts that it is under way. */
export async function whileUnderWay<T>(channelId: string, move: () => Promise<T>): Promise<T> {
  underWay.add(channelId)
  tell()
  try {
    return await move()
  } finally {
    underWay.delete(channelId)
    tell()
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export function useIsUnderWay(channelId: string): boolean {
  return useSyncExternalStore(subscribe, () => underWay.has(channelId))
}
