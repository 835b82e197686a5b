import { create } from 'zustand'
import type { Link } from './link-kind'

type Offer = {
  channelId: string
  link: Link
  /** Takes the link out of the text again. */
  takeBack: () => void
}

const useStore = create<{ offer: Offer | undefined }>(() => ({ offer: undefined }))

/** The link that was pasted last, while reading it is offered. */
export const linkOffer = {
  make: (offer: Offer): void => useStore.setState({ offer }),
  close: (): void => useStore.setState({ offer: undefined }),
}

export const useLinkOffer = (): Offer | undefined => useStore(({ offer }) => offer)
