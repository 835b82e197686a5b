import { useLocation, useNavigate } from '@tanstack/react-router'
import { useCallback, useEffect } from 'react'
import { openLoginPanel } from '../data/session/login-panel'
import { useUser } from '../data/session/stored-session'

/** Who writes an agent of their wallet. Nobody: they are asked to sign in, and come back to this address. */
export function useSuiAuthor() {
  const user = useUser()
  const navigate = useNavigate()
  // Undefined when the person is on their way to another page and this one is still shown.
  const address = useLocation({ select: ({ pathname }) => (pathname.startsWith('/sui-assistant/') ? pathname : undefined) })
  const isSignedIn = user !== undefined
  useEffect(() => {
    if (isSignedIn || address === undefined) return
    openLoginPanel('sign-in', { returnTo: address })
    void navigate({ to: '/app', replace: true })
  }, [isSignedIn, address, navigate])
  const leave = useCallback(() => void navigate({ to: '/sui-assistants', replace: true }), [navigate])
  return { user, leave }
}
