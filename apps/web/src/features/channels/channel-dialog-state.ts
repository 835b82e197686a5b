import { create } from 'zustand'

export type Transfer = {
  kind: 'transfer'
  title: string
  hint: string
  /** The number of chats; unknown while a file is being opened. */
  progress: { done: number; total: number } | undefined
  /** The progress of reading a file is in bytes, and shown in percent. */
  unit: 'chats' | 'bytes'
  cancel: () => void
}

export type ChannelDialog = { kind: 'rename' | 'members'; channelId: string } | Transfer

const useStore = create<{ dialog: ChannelDialog | undefined }>(() => ({ dialog: undefined }))

/** The open dialog about channels. Rows, menus, shortcuts and the palette open it; it is drawn in one place. */
export const channelDialog = {
  open: (dialog: ChannelDialog): void => useStore.setState({ dialog }),
  close: (): void => useStore.setState({ dialog: undefined }),
}

export function useChannelDialog(): ChannelDialog | undefined {
  return useStore(({ dialog }) => dialog)
}
