import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { onNotice } from '../../data/chat/chat-notices'
import { errorMessage } from '../../lib/error-message'
import { toast } from '../../ui/toast'

/** Says as toasts what concerns no message on screen, whatever screen that is: an answer goes on while somebody looks at the settings. */
export function useChatNotices(): void {
  const { t, i18n } = useTranslation()
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
            return toast.error(errorMessage(notice.error, i18n.language) ?? t('chat.actionFailed'))
          case 'no-credits':
            return toast.error(notice.content)
          case 'connected':
          case 'taken-up':
          case 'credits-updated':
            return
        }
      }),
    [t, i18n],
  )
}
