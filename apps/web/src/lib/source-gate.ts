import type { Source } from '@parley/contract/sources'
import { create } from 'zustand'

/** What a composer has to know of the sources of its chat before it sends a question. */
export type SourceGate = {
  /** Those that no question was asked with yet. */
  fresh: readonly Source[]
  /** Some of the chat's sources are still being read. */
  isReading: boolean
}

const useStore = create<Readonly<Record<string, SourceGate | undefined>>>(() => ({}))

/** By the id of the chat, or of the draft of a new one. Set by what shows the sources, which is loaded later. */
export const sourceGates = {
  set: (channelId: string, gate: SourceGate): void => {
    if (!isSame(useStore.getState()[channelId], gate)) useStore.setState({ [channelId]: gate })
  },
  remove: (channelId: string): void => useStore.setState({ [channelId]: undefined }),
}

/** What shows the sources is rendered with the composer: a gate that says nothing new must not render both again. */
const isSame = (before: SourceGate | undefined, { fresh, isReading }: SourceGate): boolean =>
  before?.isReading === isReading &&
  before.fresh.length === fresh.length &&
  fresh.every((source, index) => source === before.fresh[index])

export const useSourceGate = (channelId: string): SourceGate | undefined => useStore((gates) => gates[channelId])
