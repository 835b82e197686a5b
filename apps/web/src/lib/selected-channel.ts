// The selected channel is the address's fragment: it survives a reload, works with Back, and never reaches the server.
import { useLocation, useNavigate } from '@tanstack/react-router'
import { useCallback } from 'react'

/** A fragment such as `confirmEmail=…` is an order to the app and names no channel. */
export function channelIdOf(hash: string): string | undefined {
  const id = hash.replace(/^#/, '')
  return id === '' || id.includes('=') ? undefined : id
}

export function useSelectedChannelId(): string | undefined {
  return useLocation({ select: (location) => (location.pathname === '/app' ? channelIdOf(location.hash) : undefined) })
}

/** Selects a channel and shows the chat; without an id, shows the new-chat home. */
export function useSelectChannel(): (channelId: string | undefined, options?: { replace?: boolean }) => void {
  const navigate = useNavigate()
  return useCallback(
    (channelId, options) =>
      void navigate({ to: '/app', ...(channelId === undefined ? {} : { hash: channelId }), replace: options?.replace ?? false, hashScrollIntoView: false }),
    [navigate],
  )
}
