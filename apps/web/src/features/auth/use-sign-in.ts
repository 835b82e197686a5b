import type { SignIn } from '@parley/contract/auth'
import { useNavigate } from '@tanstack/react-router'
import { useCallback } from 'react'
import { closeLoginPanel, useLoginPanel } from '../../data/session/login-panel'
import { completeSignIn } from '../../data/session/sign-in'

/** Takes a sign-in into use: the panel closes, no chat is selected, and the person goes where they wanted to. Throws when this device cannot keep chats. */
export function useSignIn(): (answer: SignIn) => Promise<void> {
  const navigate = useNavigate()
  return useCallback(
    async (answer) => {
      const { returnTo } = useLoginPanel.getState()
      await completeSignIn(answer)
      const { pathname } = window.location
      if (answer.recovered) await navigate({ href: '/settings?tab=security&recoverPassword=true' })
      else if (returnTo !== undefined) await navigate({ href: returnTo })
      else if (pathname === '/app' || pathname === '/reset-password') await navigate({ to: '/app' })
      // Last: what the person chooses once it is gone stays chosen.
      closeLoginPanel()
    },
    [navigate],
  )
}
