import { create } from 'zustand'

const useStore = create<{ isOpen: boolean }>(() => ({ isOpen: false }))

/** Whether the outline stands beside the chat, whichever chat is open. */
export const outlinePanel = {
  toggle: (): void => useStore.setState(({ isOpen }) => ({ isOpen: !isOpen })),
  close: (): void => useStore.setState({ isOpen: false }),
}

export const useOutlineOpen = (): boolean => useStore(({ isOpen }) => isOpen)
