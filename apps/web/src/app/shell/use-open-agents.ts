import { useNavigate } from '@tanstack/react-router'
import { useCallback } from 'react'
import { useRequireLogin } from '../../data/session/require-login'
import { setDrawerOpen } from './sidebar-state'

/** Leads to the agents. An anonymous person is asked to sign in, although the page is open to whoever has its address. */
export function useOpenAgents(): () => void {
  const navigate = useNavigate()
  const requireLogin = useRequireLogin({ returnTo: '/assistants' })
  return useCallback(() => {
    setDrawerOpen(false)
    if (requireLogin()) void navigate({ to: '/assistants' })
  }, [navigate, requireLogin])
}
