import { isOver, type Message } from '@parley/contract/chat'
import { memo, type ReactNode, Suspense } from 'react'
import { type LiveAnswer, type LiveState, paintedAnswer, useLiveState } from '../../data/chat/live-chat'
import { useSummaryLine } from '../../data/chat/summary-state'
import { lazyExtra } from '../../ui/lazy-part'
import { RegionBoundary } from '../../ui/region-boundary'
import { Answer, type AnswerView } from './answer'
import { withLiveText } from './answer-text'
import styles from './message.module.css'
import { Question } from './question'

type ExchangeProps = {
  message: Message
  isLast: boolean
  /** The person has opened a link to this message. */
  isMarked?: boolean
  /** Shown before the question. */
  opening?: ReactNode
  /** Shown before the answer. */
  answerOpening?: ReactNode
}

const SummaryLine = lazyExtra(() => import('./summary-line'))

/** A question and its answer. While an answer is streamed only its text re-renders. */
export const Exchange = memo(function Exchange(props: ExchangeProps) {
  const { message, isLast, isMarked = false, opening, answerOpening } = props
  const written = useLiveState(message.mId)
  const live = written && isOfOtherVersion(message, written) ? undefined : written
  const hasSummaryLine = useSummaryLine(message.channelId, message.mId) !== undefined
  return (
    <>
      {opening}
      <article
        className={styles.exchange}
        data-message-id={message.mId}
        data-marked={isMarked || undefined}
        tabIndex={-1}
      >
        <Question message={message} />
        {answerOpening}
        <RegionBoundary resetKey={message.chat_response.content}>
          <Answer shown={answerView(message, live)} isLast={isLast} />
        </RegionBoundary>
      </article>
      <Suspense>{hasSummaryLine && <SummaryLine message={message} />}</Suspense>
    </>
  )
})

/** The live answer, until the final message of the same run is stored. */
function answerView(message: Message, live: LiveState | undefined): AnswerView {
  if (live?.ended) return { message: live.ended, isLive: false, isWaiting: false, trouble: 'unsaved' }
  if (!live || isStoredEnd(message, live))
    return {
      ...{ message, isLive: false, isWaiting: message.status === 'queued' || message.status === 'sent' },
      // Another tab receives it.
      isThinking: message.status === 'streaming' && message.chat_response.content === '',
      hasReasoning: message.reasoning !== undefined,
    }
  const { hasReasoning } = live
  if (live.phase !== 'lost')
    return {
      ...{ message, isLive: true, isWaiting: live.phase === 'waiting', hasReasoning },
      ...(live.isThinking ? { isThinking: true } : {}),
      ...(live.isSearching ? { isSearching: true } : {}),
    }
  return {
    message: { ...withLiveText(message, paintedAnswer(message.mId)), status: 'interrupted' },
    isLive: false,
    isWaiting: false,
    trouble: live.isFollowed ? 'lost-elsewhere' : 'lost',
  }
}

/** Another version of the answer is shown than the one that is written. */
const isOfOtherVersion = ({ versions }: Message, { messageId }: Pick<LiveAnswer, 'messageId'>): boolean =>
  versions?.answer !== messageId && versions?.answers?.includes(messageId) === true

/** Whether an answer is in progress: it can be stopped, and no other question asked. */
export function isRunning(message: Message, live: Pick<LiveAnswer, 'messageId' | 'phase'> | undefined): boolean {
  if (live && !isStoredEnd(message, live)) return live.phase === 'waiting' || live.phase === 'writing'
  return !isOver(message)
}

const isStoredEnd = (message: Message, { messageId }: Pick<LiveAnswer, 'messageId'>): boolean =>
  isOver(message) && message.run?.messageId === messageId
