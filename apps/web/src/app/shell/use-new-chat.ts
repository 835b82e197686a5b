import { useCallback } from 'react'
import { useRequireLogin } from '../../data/session/require-login'
import { useSelectChannel } from '../../lib/selected-channel'
import { focusComposer } from './focus-composer'
import { setDrawerOpen } from './sidebar-state'

/** Shows the new-chat home, ready to type. The channel is made with the first message. An anonymous person is asked to sign in. */
export function useNewChat(): () => void {
  const select = useSelectChannel()
  const requireLogin = useRequireLogin()
  return useCallback(() => {
    setDrawerOpen(false)
    if (!requireLogin()) return
    select(undefined)
    // The home is drawn after the navigation.
    setTimeout(focusComposer)
  }, [select, requireLogin])
}
