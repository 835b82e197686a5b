import type { Message } from '@parley/contract/chat'
import { create } from 'zustand'

const useStore = create<{ message: Message | undefined }>(() => ({ message: undefined }))

/** The message that is about to be forwarded. It is kept apart from its place in the list, which may move out of sight meanwhile. */
export const forwarding = {
  open: (message: Message): void => useStore.setState({ message }),
  close: (): void => useStore.setState({ message: undefined }),
}

export function useForwarding(): Message | undefined {
  return useStore(({ message }) => message)
}
