import { isOver, type Message } from '@parley/contract/chat'
import { memo, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { type LiveAnswer, useLiveAnswer } from '../../data/chat/live-chat'
import { VisuallyHidden } from '../../ui/visually-hidden'
import { Answer, type Shown } from './answer'
import styles from './message.module.css'
import { Receipts } from './receipts'

type ExchangeProps = {
  message: Message
  isLast: boolean
  /** Somebody came to see it. */
  isMarked?: boolean
  /** What stands before the question. */
  opening?: ReactNode
}

/** A question and its answer. Only the one that is being written is drawn again while it grows. */
export const Exchange = memo(function Exchange({ message, isLast, isMarked = false, opening }: ExchangeProps) {
  const { t } = useTranslation()
  const live = useLiveAnswer(message.mId)
  return (
    <>
      {opening}
      <article className={styles.exchange} data-message-id={message.mId} data-marked={isMarked || undefined} tabIndex={-1}>
        <div className={styles.question} data-question="" data-author={message.author ? '' : undefined}>
          {message.author ? (
            <span className={styles.author}>{message.author.name || t('members.deletedAccount')}</span>
          ) : (
            <VisuallyHidden>{t('chat.you')}</VisuallyHidden>
          )}
          {message.forwarded && <span className={styles.forwarded}>{t('members.forwarded')}</span>}
          <div className={styles.bubble} dir="auto">
            {message.chat_request}
          </div>
          <Receipts message={message} />
        </div>
        <Answer shown={shownOf(message, live)} isLast={isLast} />
      </article>
    </>
  )
})

/** The live text, until the stored end of the same run is there. */
export function shownOf(message: Message, live: LiveAnswer | undefined): Shown {
  const isStoredEnd = isOver(message) && message.run?.messageId === live?.messageId
  if (!live || isStoredEnd) return { message, isLive: false, isWaiting: message.status === 'queued' || message.status === 'sent' }
  return { message: { ...message, chat_response: { role: 'assistant', content: live.content } }, isLive: true, isWaiting: live.phase === 'waiting' }
}
