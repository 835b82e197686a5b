import { useEffect } from 'react'
import { onNotice } from '../../data/chat/chat-notices'
import { useTranslation } from '../../i18n/interface-language'
import { errorMessage } from '../../lib/error-message'
import { toast } from '../../ui/toast'

/** Shows chat notices as toasts on every screen: an answer goes on while the person is in the settings. */
export function useChatNotices(): void {
  const { t, language } = useTranslation()
  useEffect(
    () =>
      onNotice((notice) => {
        switch (notice.kind) {
          case 'empty':
            return toast.error(t('chat.empty'))
          case 'channel-left':
            return toast.notice(t('members.out'))
          case 'failed':
            return toast.error(notice.content)
          case 'broadcast':
            return toast.notice(notice.content)
          case 'not-saved':
            return toast.error(errorMessage(notice.error, language) ?? t('chat.actionFailed'))
          case 'no-credits':
            return toast.error(notice.content)
          case 'connected':
          case 'taken-up':
          case 'credits-updated':
            return
        }
      }),
    [t, language],
  )
}
