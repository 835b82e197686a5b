import { create } from 'zustand'

/** How many additions to a chat are in progress: what is being added is in no list yet. */
const useStore = create<Readonly<Record<string, number | undefined>>>(() => ({}))

const add = (channelId: string, count: number): void =>
  useStore.setState((counts) => ({ [channelId]: (counts[channelId] ?? 0) + count }))

/** Counts an addition until it is done, or has failed: a question that is sent meanwhile waits for it. */
export async function whileAdding<T>(channelId: string, addition: Promise<T>): Promise<T> {
  add(channelId, 1)
  try {
    return await addition
  } finally {
    add(channelId, -1)
  }
}

export const useIsAddingSources = (channelId: string): boolean => useStore((counts) => (counts[channelId] ?? 0) > 0)
