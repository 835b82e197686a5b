import type { SourcePart } from '@parley/contract/parts'
import { create } from 'zustand'

/** The passage that stands beside the chat, and the others of the same answer. */
export type OpenCitation = { channelId: string; mId: string; n: number; citations: readonly SourcePart[] }

const useStore = create<{ open: OpenCitation | undefined }>(() => ({ open: undefined }))

export const openCitation = {
  show: (open: OpenCitation): void => useStore.setState({ open }),
  close: (): void => useStore.setState({ open: undefined }),
}

export const useOpenCitation = (): OpenCitation | undefined => useStore(({ open }) => open)

/** The number that is open of an answer. */
export const useOpenNumber = (mId: string): number | undefined =>
  useStore(({ open }) => (open?.mId === mId ? open.n : undefined))
