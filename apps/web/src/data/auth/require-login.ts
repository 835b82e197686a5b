import { useCallback } from 'react'
import { useConfig, useIsConfigLoading } from '../config/use-config'
import { openLoginPanel } from '../session/login-panel'
import { useUser } from '../session/stored-session'

/**
 * Whether nobody is signed in who could be, also while it is not known yet how one signs in here. Where the server
 * offers no sign-in, and while it cannot be reached, what needs no server stays open to everybody.
 */
export function useMustSignIn(): boolean {
  const isSignedIn = useUser() !== undefined
  const isLoading = useIsConfigLoading()
  const canSignIn = (useConfig()?.signInMethods.length ?? 0) > 0
  return !isSignedIn && (canSignIn || isLoading)
}

/**
 * Guards an action that needs a signed-in person: true when there is one, or none is needed. Otherwise the sign-in
 * panel opens instead of the action. `returnTo`: an address of this app to go to after the sign-in.
 */
export function useRequireLogin({ returnTo }: { returnTo?: string } = {}): () => boolean {
  const mustSignIn = useMustSignIn()
  return useCallback(() => {
    if (mustSignIn) openLoginPanel('sign-in', returnTo === undefined ? {} : { returnTo })
    return !mustSignIn
  }, [mustSignIn, returnTo])
}
