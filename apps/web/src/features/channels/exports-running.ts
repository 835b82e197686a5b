import { create } from 'zustand'

const useStore = create<{ ids: ReadonlySet<string> }>(() => ({ ids: new Set() }))

/** Channels whose PDF is being exported: a second click waits for the first export. */
export const exportsRunning = {
  has: (channelId: string): boolean => useStore.getState().ids.has(channelId),
  add: (channelId: string): void => useStore.setState(({ ids }) => ({ ids: new Set([...ids, channelId]) })),
  remove: (channelId: string): void =>
    useStore.setState(({ ids }) => ({ ids: new Set([...ids].filter((id) => id !== channelId)) })),
}

export function useIsExporting(channelId: string): boolean {
  return useStore(({ ids }) => ids.has(channelId))
}
