import { isShared } from '@parley/contract/channels'
import { isOver, type Message } from '@parley/contract/chat'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { useChannel } from '../../data/channels/use-channels'
import { useMessageRights } from '../../data/channels/use-message-rights'
import { continueMessage, resendMessage, stopAnswerOf } from '../../data/chat/send-message'
import { errorMessage } from '../../lib/error-message'
import { Button } from '../../ui/button'
import { lazyExtra } from '../../ui/lazy-part'
import { toast } from '../../ui/toast'
import styles from './message.module.css'
import { MessageTools } from './message-tools'
import { Speaker, useAnswering } from './speaker'

/** Shown while the renderer loads; a browser takes a minute to lay out a word of a million letters. */
const firstGlance = 4_000

const Markdown = lazyExtra(() => import('../../ui/markdown/markdown'))

/** `message` as it is shown: the live text where an answer is being written. */
export type Shown = { message: Message; isLive: boolean; isWaiting: boolean }

export function Answer({ shown, isLast }: { shown: Shown; isLast: boolean }) {
  const { t } = useTranslation()
  const { message, isLive, isWaiting } = shown
  const { content } = message.chat_response
  const isWriting = isLive || !isOver(message)
  const { canStop } = useMessageRights(message)
  const speaker = useAnswering(message)
  return (
    <div className={styles.answer} data-answer="" data-status={message.status}>
      <Speaker id={speaker}>
        <span className={styles.muted}>{isWriting ? t(isWaiting ? 'chat.waiting' : 'chat.writing') : message.model?.split('/').at(-1)}</span>
      </Speaker>
      <div data-answer-text="">
        {(content !== '' || isWriting) && (
          <Suspense fallback={<p className={styles.plain}>{content.slice(0, firstGlance)}</p>}>
            <Markdown text={content} streaming={isWriting && !isWaiting} />
          </Suspense>
        )}
      </div>
      {/* What oneself asked is stopped from the composer. */}
      {isLive && !isWaiting && message.author && canStop && (
        <div className={styles.outcome}>
          {/* Already at the press: the growing answer may push it away from under the pointer before that is released. Twice does no harm. */}
          <Button size="small" onPointerDown={({ button }) => button === 0 && stopAnswerOf(message)} onClick={() => stopAnswerOf(message)}>
            {t('members.stop')}
          </Button>
        </div>
      )}
      {!isWriting && <Outcome message={message} />}
      {!isWriting && <MessageTools message={message} isLast={isLast} />}
    </div>
  )
}

/** How the answer ended, when it did not end well, and what can be done about it. */
function Outcome({ message }: { message: Message }) {
  const { t, i18n } = useTranslation()
  const { status, channelId, mId, error, empty } = message
  const { canAsk } = useMessageRights(message)
  const channel = useChannel(channelId)
  // Whoever asked and the owner may stop: who of them did is not known.
  const isOthersToo = channel !== undefined && isShared(channel)
  const orComplain = (action: Promise<void>): void => {
    action.catch((failure: unknown) => toast.error(errorMessage(failure, i18n.language) ?? t('chat.actionFailed')))
  }
  const resend = canAsk && (
    <Button size="small" onClick={() => orComplain(resendMessage(channelId, mId))}>
      {t('chat.resend')}
    </Button>
  )
  if (error?.code.startsWith('storage.')) return <p className={styles.failed}>{t('chat.unreadable')}</p>
  switch (status) {
    case 'stopped':
      return <p className={styles.note}>{t(isOthersToo ? 'members.stopped' : 'chat.stopped')}</p>
    case 'interrupted':
      return (
        <div className={styles.outcome}>
          <p className={styles.note}>{t('chat.interrupted')}</p>
          {canAsk && message.chat_response.content !== '' && (
            <Button size="small" onClick={() => orComplain(continueMessage(channelId, mId, t('chat.continuePrompt')))}>
              {t('chat.continue')}
            </Button>
          )}
          {resend}
        </div>
      )
    case 'failed':
      return (
        <div className={styles.outcome}>
          <p className={styles.failed} role="alert">
            {error?.content ?? t('chat.actionFailed')}
          </p>
          {resend}
        </div>
      )
    default:
      return empty ? <div className={styles.outcome}>{resend}</div> : null
  }
}
