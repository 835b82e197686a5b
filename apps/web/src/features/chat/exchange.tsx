import { isOver, type Message } from '@parley/contract/chat'
import { memo, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { type LiveAnswer, useLiveAnswer } from '../../data/chat/live-chat'
import { RegionBoundary } from '../../ui/region-boundary'
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
        <RegionBoundary resetKey={live?.content ?? message.chat_response.content}>
          <Answer shown={shownOf(message, live)} isLast={isLast} />
        </RegionBoundary>
      </article>
    </>
  )
})

/** The live text, until the stored end of the same run is there. */
function shownOf(message: Message, live: LiveAnswer | undefined): Shown {
  if (live?.ended) return { message: live.ended, isLive: false, isWaiting: false, trouble: 'unsaved' }
  if (!live || isStoredEnd(message, live)) return { message, isLive: false, isWaiting: message.status === 'queued' || message.status === 'sent' }
  const shown: Message = { ...message, chat_response: { role: 'assistant', content: live.content } }
  if (live.phase !== 'lost') return { message: shown, isLive: true, isWaiting: live.phase === 'waiting' }
  return { message: { ...shown, status: 'interrupted' }, isLive: false, isWaiting: false, trouble: live.isFollowed ? 'lost-elsewhere' : 'lost' }
}

/** Whether an answer is being written, so that it can be stopped and nothing else be asked. */
export function isRunning(message: Message, live: Pick<LiveAnswer, 'messageId' | 'phase'> | undefined): boolean {
  if (live && !isStoredEnd(message, live)) return live.phase === 'waiting' || live.phase === 'writing'
  return !isOver(message)
}

const isStoredEnd = (message: Message, { messageId }: Pick<LiveAnswer, 'messageId'>): boolean => isOver(message) && message.run?.messageId === messageId
