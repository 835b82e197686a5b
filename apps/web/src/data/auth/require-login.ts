import { useCallback } from 'react'
import { useConfig } from '../config/use-config'
import { openLoginPanel } from '../session/login-panel'
import { useUser } from '../session/stored-session'

/**
 * Guards an action that needs a signed-in person: true when there is one. Otherwise the sign-in panel opens instead of
 * the action. Where the server offers no sign-in, and while it cannot be reached, local actions stay open to everybody.
 * `returnTo`: an address of this app to go to after the sign-in.
 */
export function useRequireLogin({ returnTo }: { returnTo?: string } = {}): () => boolean {
  const user = useUser()
  const canSignIn = (useConfig()?.signInMethods.length ?? 0) > 0
  return useCallback(() => {
    if (user || !canSignIn) return true
    openLoginPanel('sign-in', returnTo === undefined ? {} : { returnTo })
    return false
  }, [user, canSignIn, returnTo])
}
