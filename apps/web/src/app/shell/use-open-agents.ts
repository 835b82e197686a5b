import { useCallback } from 'react'
import { useRequireLogin } from '../../data/auth/require-login'
import { useNavigate } from '../../lib/router/router'
import { setDrawerOpen } from './sidebar-state'

/**
 * Leads to the agents. An anonymous person is asked to sign in, although the page is open to whoever has its address.
 */
export function useOpenAgents(): () => void {
  const navigate = useNavigate()
  const requireLogin = useRequireLogin({ returnTo: '/assistants' })
  return useCallback(() => {
    setDrawerOpen(false)
    if (requireLogin()) void navigate('/assistants')
  }, [navigate, requireLogin])
}
