import type { Message } from '@parley/contract/chat'
import { Copy, Forward, RotateCcw, Trash2 } from 'lucide-react'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { useMessageRights } from '../../data/channels/use-message-rights'
import { deleteMessage, resendMessage } from '../../data/chat/send-message'
import { errorMessage } from '../../lib/error-message'
import { IconButton } from '../../ui/button'
import { lazyExtra } from '../../ui/lazy-part'
import { confirmToast, toast } from '../../ui/toast'
import { forwarding } from './forward-state'
import styles from './message.module.css'

// It comes by itself: what cannot be loaded must not take the chat with it.
const AnswerCost = lazyExtra(() => import('./answer-cost'))

/** Always in sight under the last answer; under others on hover and focus. */
export function MessageTools({ message, isLast }: { message: Message; isLast: boolean }) {
  const { t, i18n } = useTranslation()
  const { channelId, mId, durationMs, usage, author } = message
  const { canAsk, canDelete } = useMessageRights(message)

  const attempt = async (action: () => Promise<void>): Promise<void> => {
    try {
      await action()
    } catch (error) {
      toast.error(errorMessage(error, i18n.language) ?? t('chat.actionFailed'))
    }
  }
  const copy = (): Promise<void> =>
    attempt(async () => {
      await navigator.clipboard.writeText(message.chat_response.content)
      toast.success(t('chat.copied'))
    })
  const remove = (): Promise<void> =>
    attempt(async () => {
      if (!(await confirmToast({ message: t('chat.confirmDelete'), danger: true }))) return
      await deleteMessage(channelId, mId)
      toast.success(t('chat.deleted'))
    })

  return (
    <div className={styles.tools} data-always={isLast || undefined}>
      <IconButton label={t('chat.copy')} icon={Copy} size="small" data-copy-answer="" onClick={() => void copy()} />
      {isLast && canAsk && (
        <IconButton label={t('chat.regenerate')} icon={RotateCcw} size="small" onClick={() => void attempt(() => resendMessage(channelId, mId))} />
      )}
      {!message.error?.code.startsWith('storage.') && (
        <IconButton label={t('chat.forward')} icon={Forward} size="small" onClick={() => forwarding.open(message)} />
      )}
      {canDelete && <IconButton label={t('chat.delete')} icon={Trash2} size="small" onClick={() => void remove()} />}
      <span className={styles.facts}>
        {/* Whoever asked pays. */}
        {usage?.cost !== undefined && !author && (
          <Suspense>
            <AnswerCost cost={usage.cost} />
          </Suspense>
        )}
        {durationMs !== undefined && <span>{t('chat.seconds', { seconds: (durationMs / 1000).toFixed(1) })}</span>}
      </span>
    </div>
  )
}
