import { useCallback } from 'react'
import { useRequireLogin } from '../../data/auth/require-login'
import { chooseTemporary, leaveTemporary } from '../../data/channels/new-chat'
import { useTranslation } from '../../i18n/interface-language'
import { errorMessage } from '../../lib/error-message'
import { useSelectChannel } from '../../lib/selected-channel'
import { toast } from '../../ui/toast'
import { focusComposer } from './focus-composer'
import { setDrawerOpen } from './sidebar-state'

/**
 * Shows the new-chat home, ready to type. The channel is made with the first message. An anonymous person is asked to
 * sign in.
 */
export function useNewChat(): () => void {
  const select = useSelectChannel()
  const requireLogin = useRequireLogin()
  return useCallback(() => {
    setDrawerOpen(false)
    if (!requireLogin()) return
    leaveTemporary()
    select(undefined)
    // The home is drawn after the navigation.
    setTimeout(focusComposer)
  }, [select, requireLogin])
}

/** The same for a chat that is gone with this tab. Anonymous people may have one too. */
export function useNewTemporaryChat(): () => void {
  const { t, language } = useTranslation()
  const select = useSelectChannel()
  return useCallback(() => {
    setDrawerOpen(false)
    chooseTemporary(true).then(
      () => {
        select(undefined)
        setTimeout(focusComposer)
      },
      (error: unknown) => toast.error(errorMessage(error, language) ?? t('chat.actionFailed')),
    )
  }, [select, t, language])
}
