import type { Message } from '@parley/contract/chat'
import { useEffect } from 'react'
import type { Messages } from '../../data/channels/use-messages'
import { useTranslation } from '../../i18n/interface-language'
import { toast } from '../../ui/toast'
import { VisuallyHidden } from '../../ui/visually-hidden'
import styles from './message-list.module.css'

/** Announces whether the target message is being fetched, shown, or gone. */
export function JumpNotice({ where, message }: { where: Messages['targetState']; message: Message | undefined }) {
  const { t, language } = useTranslation()
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
  const date = Number.isNaN(time)
    ? undefined
    : new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short' }).format(time)
  return (
    <VisuallyHidden>
      <span role="status">{date && t('chat.jumped', { date })}</span>
    </VisuallyHidden>
  )
}
