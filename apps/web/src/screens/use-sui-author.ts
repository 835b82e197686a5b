import { isSuiPerson } from '@parley/contract/sui-agents'
import type { User } from '@parley/contract/users'
import { useCallback, useEffect } from 'react'
import { openLoginPanel } from '../data/session/login-panel'
import { useUser } from '../data/session/stored-session'
import { useLocation, useNavigate } from '../lib/router/router'

/**
 * Who writes an agent of their wallet. Nobody: they are asked to sign in, and come back to this address. Somebody
 * without a Sui wallet finds on the list what it takes.
 */
export function useSuiAuthor(): { user: User | undefined; leave: () => void } {
  const user = useUser()
  const navigate = useNavigate()
  // Undefined when the person is on their way to another page and this one is still shown.
  const address = useLocation(({ pathname }) => (pathname.startsWith('/sui-assistant/') ? pathname : undefined))
  const isSignedIn = user !== undefined
  const hasWallet = user !== undefined && isSuiPerson(user)
  const leave = useCallback(() => void navigate('/sui-assistants', { replace: true }), [navigate])
  useEffect(() => {
    if (hasWallet || address === undefined) return
    if (isSignedIn) return leave()
    openLoginPanel('sign-in', { returnTo: address })
    void navigate('/app', { replace: true })
  }, [isSignedIn, hasWallet, address, leave, navigate])
  return { user: hasWallet ? user : undefined, leave }
}
