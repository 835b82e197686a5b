import '../../i18n/later-texts'
import type { Message } from '@parley/contract/chat'
import { Copy, Forward, RotateCcw, Trash2 } from 'lucide-react'
import { type MouseEvent, Suspense } from 'react'
import { useMessageRights } from '../../data/channels/use-message-rights'
import { resendMessage } from '../../data/chat/resend-message'
import { deleteMessage } from '../../data/chat/send-message'
import { useTranslation } from '../../i18n/interface-language'
import { media } from '../../ui/breakpoints'
import { IconButton } from '../../ui/button'
import { lazyExtra } from '../../ui/lazy-part'
import { confirmToast, toast } from '../../ui/toast'
import { useMediaQuery } from '../../ui/use-media-query'
import { focusExchange } from './focus-exchange'
import { forwarding } from './forward-state'
import styles from './message.module.css'
import { useAttempt } from './use-attempt'
import { awaitRun } from './version-visit'

// Loaded separately: a failure to load must not break the chat.
const AnswerCost = lazyExtra(() => import('./answer-cost'))
const VersionSwitch = lazyExtra(() => import('./version-switch'))
const loadMenu = () => import('./answer-menu')
const AnswerMenu = lazyExtra(loadMenu)
const FoldedAnswerMenu = lazyExtra(async () => ({ default: (await loadMenu()).FoldedAnswerMenu }))

/** Always visible under the last answer; under others on hover and focus. */
export function MessageTools({
  message,
  isLast,
  canRegenerate,
}: {
  message: Message
  isLast: boolean
  canRegenerate: boolean
}) {
  const { t, language } = useTranslation()
  const { channelId, mId, durationMs, usage, author } = message
  const { canAsk, canDelete } = useMessageRights(message)

  const attempt = useAttempt()
  const isNarrow = useMediaQuery(media.narrow)
  const isReadable = !message.error?.code.startsWith('storage.')
  const canResend = canAsk && canRegenerate && isReadable

  const copy = (): Promise<void> =>
    attempt(async () => {
      await navigator.clipboard.writeText(message.chat_response.content)
      toast.success(t('chat.copied'))
    })
  const regenerate = ({ currentTarget }: MouseEvent): void => {
    focusExchange(currentTarget)
    awaitRun(message)
    void attempt(() => resendMessage(channelId, mId))
  }
  const remove = (): Promise<void> =>
    attempt(async () => {
      // The button disappears with its message.
      const log = document.querySelector<HTMLElement>('[role="log"]')
      if (!(await confirmToast({ message: t('chat.confirmDelete'), danger: true }))) return
      await deleteMessage(channelId, mId)
      log?.focus({ preventScroll: true })
      toast.success(t('chat.deleted'))
    })

  const forward = isReadable ? () => forwarding.open(message) : undefined
  const versions = message.versions?.answers && (
    <Suspense>
      <VersionSwitch message={message} part="answer" />
    </Suspense>
  )
  return (
    <div className={styles.tools} data-always={isLast || undefined}>
      {versions}
      <IconButton label={t('chat.copy')} icon={Copy} size="small" data-copy-answer="" onClick={() => void copy()} />
      {canResend && <IconButton label={t('chat.regenerate')} icon={RotateCcw} size="small" onClick={regenerate} />}
      <Suspense>
        {!isNarrow && isReadable && <AnswerMenu message={message} canRegenerate={canResend} />}
        {isNarrow && isReadable && (
          <FoldedAnswerMenu
            message={message}
            canRegenerate={canResend}
            onForward={forward}
            onDelete={canDelete ? () => void remove() : undefined}
          />
        )}
      </Suspense>
      {!isNarrow && forward && <IconButton label={t('chat.forward')} icon={Forward} size="small" onClick={forward} />}
      {(!isNarrow || !isReadable) && canDelete && (
        <IconButton label={t('chat.delete')} icon={Trash2} size="small" onClick={() => void remove()} />
      )}
      <span className={styles.facts}>
        {/* The author of the question pays. */}
        {usage?.cost !== undefined && !author && (
          <Suspense>
            <AnswerCost cost={usage.cost} />
          </Suspense>
        )}
        {durationMs !== undefined && <span>{t('chat.seconds', { seconds: secondsText(durationMs, language) })}</span>}
      </span>
    </div>
  )
}

/** One decimal, in the format of the language: `3.2`, `3,2`. */
function secondsText(ms: number, language: string): string {
  return new Intl.NumberFormat(language, { minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(ms / 1000)
}
