import { create } from 'zustand'

type OpenDialog = { kind: 'add' | 'manage'; channelId: string }

const useStore = create<{ open: OpenDialog | undefined }>(() => ({ open: undefined }))

/** The dialog about the sources of a chat. It is opened by the paperclip and by the bar. */
export const sourceDialog = {
  open: (kind: OpenDialog['kind'], channelId: string): void => useStore.setState({ open: { kind, channelId } }),
  close: (): void => useStore.setState({ open: undefined }),
}

export const useSourceDialog = (): OpenDialog | undefined => useStore(({ open }) => open)
