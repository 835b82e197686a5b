import { create } from 'zustand'

export type Transfer = {
  kind: 'transfer'
  title: string
  hint: string
  /** Unknown while a file is being opened. */
  progress: { done: number; total: number } | undefined
  /** A file is read by bytes, which mean nothing to a person: shown as percent. */
  unit: 'chats' | 'bytes'
  cancel: () => void
}

export type ChannelDialog = { kind: 'rename' | 'members'; channelId: string } | Transfer

const useStore = create<{ dialog: ChannelDialog | undefined }>(() => ({ dialog: undefined }))

/** The dialogs of channels open from rows, menus, keys and the palette, and are drawn in one place. */
export const channelDialog = {
  open: (dialog: ChannelDialog): void => useStore.setState({ dialog }),
  close: (): void => useStore.setState({ dialog: undefined }),
}

export function useChannelDialog(): ChannelDialog | undefined {
  return useStore(({ dialog }) => dialog)
}
