import type { Message } from '@parley/contract/chat'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import type { Messages } from '../../data/channels/use-messages'
import { toast } from '../../ui/toast'
import { VisuallyHidden } from '../../ui/visually-hidden'
import styles from './message-list.module.css'

/** Says where the message is that somebody wants to see: on its way, here, or gone. */
export function JumpNotice({ where, message }: { where: Messages['wanted']; message: Message | undefined }) {
  const { t, i18n } = useTranslation()
  const isGone = where === 'gone'
  useEffect(() => {
    if (isGone) toast.error(t('chat.messageGone'))
  }, [isGone, t])

  if (where === 'seeking') {
    return (
      <p className={styles.seeking} role="status">
        {t('chat.seeking')}
      </p>
    )
  }
  const time = Date.parse(message?.datetime ?? '')
  const date = Number.isNaN(time) ? undefined : new Intl.DateTimeFormat(i18n.language, { dateStyle: 'long', timeStyle: 'short' }).format(time)
  return (
    <VisuallyHidden>
      <span role="status">{date && t('chat.jumped', { date })}</span>
    </VisuallyHidden>
  )
}
