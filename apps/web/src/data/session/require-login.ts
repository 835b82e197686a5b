import { useCallback } from 'react'
import { useConfig } from '../config/use-config'
import { openLoginPanel } from './login-panel'
import { useUser } from './stored-session'

/**
 * Guards an action that needs a signed-in person: true when there is one. Otherwise the sign-in panel opens instead of the action. Where the server offers
 * no sign-in at all, and while it cannot be asked, local actions stay open to everybody.
 */
export function useRequireLogin(): () => boolean {
  const user = useUser()
  const canSignIn = (useConfig()?.signInMethods.length ?? 0) > 0
  return useCallback(() => {
    if (user || !canSignIn) return true
    openLoginPanel()
    return false
  }, [user, canSignIn])
}
