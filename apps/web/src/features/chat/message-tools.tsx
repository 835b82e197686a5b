import type { Message } from '@parley/contract/chat'
import { Copy, Forward, RotateCcw, Trash2 } from 'lucide-react'
import { type MouseEvent, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { useMessageRights } from '../../data/channels/use-message-rights'
import { deleteMessage, resendMessage } from '../../data/chat/send-message'
import { errorMessage } from '../../lib/error-message'
import { IconButton } from '../../ui/button'
import { lazyExtra } from '../../ui/lazy-part'
import { confirmToast, toast } from '../../ui/toast'
import { focusExchange } from './focus-exchange'
import { forwarding } from './forward-state'
import styles from './message.module.css'

// It comes by itself: what cannot be loaded must not take the chat with it.
const AnswerCost = lazyExtra(() => import('./answer-cost'))

/** Always in sight under the last answer; under others on hover and focus. */
export function MessageTools({ message, isLast, canRegenerate }: { message: Message; isLast: boolean; canRegenerate: boolean }) {
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
  const regenerate = ({ currentTarget }: MouseEvent): void => {
    focusExchange(currentTarget)
    void attempt(() => resendMessage(channelId, mId))
  }
  const remove = ({ currentTarget }: MouseEvent): Promise<void> =>
    attempt(async () => {
      // The button goes with its message.
      const log = currentTarget.closest<HTMLElement>('[role="log"]')
      if (!(await confirmToast({ message: t('chat.confirmDelete'), danger: true }))) return
      await deleteMessage(channelId, mId)
      log?.focus({ preventScroll: true })
      toast.success(t('chat.deleted'))
    })

  return (
    <div className={styles.tools} data-always={isLast || undefined}>
      <IconButton label={t('chat.copy')} icon={Copy} size="small" data-copy-answer="" onClick={() => void copy()} />
      {isLast && canAsk && canRegenerate && <IconButton label={t('chat.regenerate')} icon={RotateCcw} size="small" onClick={regenerate} />}
      {!message.error?.code.startsWith('storage.') && (
        <IconButton label={t('chat.forward')} icon={Forward} size="small" onClick={() => forwarding.open(message)} />
      )}
      {canDelete && <IconButton label={t('chat.delete')} icon={Trash2} size="small" onClick={(event) => void remove(event)} />}
      <span className={styles.facts}>
        {/* Whoever asked pays. */}
        {usage?.cost !== undefined && !author && (
          <Suspense>
            <AnswerCost cost={usage.cost} />
          </Suspense>
        )}
        {durationMs !== undefined && <span>{t('chat.seconds', { seconds: secondsText(durationMs, i18n.language) })}</span>}
      </span>
    </div>
  )
}

/** With one decimal, as the language writes it: `3.2`, `3,2`. */
function secondsText(ms: number, language: string): string {
  return new Intl.NumberFormat(language, { minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(ms / 1000)
}
