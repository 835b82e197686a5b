// The selected channel is the address's fragment: it survives a reload, works with Back, and never reaches the server.

import { useCallback, useMemo } from 'react'
import { useLocation, useNavigate } from './router/router'

/** A fragment such as `confirmEmail=…` is an order to the app and names no channel. */
export function channelIdOf(hash: string): string | undefined {
  const id = hash.replace(/^#/, '')
  return id === '' || id.includes('=') ? undefined : id
}

export function useSelectedChannelId(): string | undefined {
  return useLocation((location) => (location.pathname === '/app' ? channelIdOf(location.hash) : undefined))
}

/** The message that whoever selected the channel wants to see: a new object each time somebody does. */
export function useTargetMessage(): TargetMessage | undefined {
  const mId = useLocation(({ state }) => state.mId)
  const visit = useLocation(({ state }) => state.visit)
  return useMemo(() => (mId === undefined ? undefined : { mId, visit }), [mId, visit])
}

export type TargetMessage = { mId: string; visit: number | undefined }

/**
 * Selects a channel and shows the chat, at one of its messages if one is given; without an id, shows the new-chat home.
 */
export function useSelectChannel(): (
  channelId: string | undefined,
  options?: { replace?: boolean; mId?: string },
) => void {
  const navigate = useNavigate()
  return useCallback(
    (channelId, { replace = false, mId } = {}) =>
      void navigate(channelId === undefined ? '/app' : `/app#${channelId}`, {
        replace,
        ...(mId === undefined ? {} : { state: { mId, visit: Date.now() } }),
      }),
    [navigate],
  )
}
