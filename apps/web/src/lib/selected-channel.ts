// The selected channel is the address's fragment: it survives a reload, works with Back, and never reaches the server.
import { useLocation, useNavigate } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The message of the selected channel that is to be shown. Not part of the address: a channel's is enough to share. */
    mId?: string
    /** Told apart from the last visit of the same message, which would be no navigation. */
    visit?: number
  }
}

/** A fragment such as `confirmEmail=…` is an order to the app and names no channel. */
export function channelIdOf(hash: string): string | undefined {
  const id = hash.replace(/^#/, '')
  return id === '' || id.includes('=') ? undefined : id
}

export function useSelectedChannelId(): string | undefined {
  return useLocation({ select: (location) => (location.pathname === '/app' ? channelIdOf(location.hash) : undefined) })
}

/** The message that whoever selected the channel wants to see: a new object each time somebody does. */
export function useWantedMessage(): WantedMessage | undefined {
  const mId = useLocation({ select: ({ state }) => state.mId })
  const visit = useLocation({ select: ({ state }) => state.visit })
  return useMemo(() => (mId === undefined ? undefined : { mId, visit }), [mId, visit])
}

export type WantedMessage = { mId: string; visit: number | undefined }

/** Selects a channel and shows the chat, at one of its messages if one is given; without an id, shows the new-chat home. */
export function useSelectChannel(): (channelId: string | undefined, options?: { replace?: boolean; mId?: string }) => void {
  const navigate = useNavigate()
  return useCallback(
    (channelId, { replace = false, mId } = {}) =>
      void navigate({
        to: '/app',
        ...(channelId === undefined ? {} : { hash: channelId }),
        ...(mId === undefined ? {} : { state: { mId, visit: Date.now() } }),
        replace,
        hashScrollIntoView: false,
      }),
    [navigate],
  )
}
