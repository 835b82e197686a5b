import type { Message } from '@parley/contract/chat'
import { create } from 'zustand'

const useStore = create<{ message: Message | undefined }>(() => ({ message: undefined }))

/** The message to forward. It is stored apart from the list, which may scroll it out of the rendered range. */
export const forwarding = {
  open: (message: Message): void => useStore.setState({ message }),
  close: (): void => useStore.setState({ message: undefined }),
}

export function useForwarding(): Message | undefined {
  return useStore(({ message }) => message)
}
