import type { SignIn } from '@parley/contract/auth'
import { useCallback } from 'react'
import { completeSignIn } from '../../data/auth/sign-in'
import { closeLoginPanel, useLoginPanel } from '../../data/session/login-panel'
import { useNavigate } from '../../lib/router/router'

/**
 * Completes a sign-in: closes the panel, clears the selected chat and navigates to the requested page. Throws when this
 * device cannot store chats.
 */
export function useSignIn(): (answer: SignIn) => Promise<void> {
  const navigate = useNavigate()
  return useCallback(
    async (answer) => {
      const { returnTo } = useLoginPanel.getState()
      await completeSignIn(answer)
      const { pathname } = window.location
      if (answer.recovered) await navigate('/settings?tab=security&recoverPassword=true')
      else if (returnTo !== undefined) await navigate(returnTo)
      else if (pathname === '/app' || pathname === '/reset-password') await navigate('/app')
      // Last, so that it does not undo what the person selects once the panel is closed.
      closeLoginPanel()
    },
    [navigate],
  )
}
