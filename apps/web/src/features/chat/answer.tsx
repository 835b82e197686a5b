import { isShared } from '@parley/contract/channels'
import { isOver, type Message } from '@parley/contract/chat'
import { type MouseEvent, Suspense } from 'react'
import { useChannel } from '../../data/channels/use-channels'
import { useMessageRights } from '../../data/channels/use-message-rights'
import { recover } from '../../data/chat/chat-engine'
import { continueMessage, resendMessage } from '../../data/chat/resend-message'
import { stopAnswerOf } from '../../data/chat/send-message'
import { useTranslation } from '../../i18n/interface-language'
import { errorMessage } from '../../lib/error-message'
import { Button } from '../../ui/button'
import { lazyExtra } from '../../ui/lazy-part'
import { toast } from '../../ui/toast'
import { AnswerText } from './answer-text'
import { focusExchange } from './focus-exchange'
import styles from './message.module.css'
import { MessageTools } from './message-tools'
import { Speaker, useAnswering } from './speaker'

const VersionSwitch = lazyExtra(() => import('./version-switch'))

export type AnswerView = {
  message: Message
  /** Its text is that of the live answer. */
  isLive: boolean
  isWaiting: boolean
  /** The model thinks now. */
  isThinking?: boolean
  /** It has thought, or thinks. */
  hasReasoning?: boolean
  /** The web is searched for the question. */
  isSearching?: boolean
  /**
   * unsaved: the final message could not be stored yet. lost: reconnecting failed; lost-elsewhere: the same for an
   * answer of another device or person.
   */
  trouble?: 'unsaved' | 'lost' | 'lost-elsewhere'
}

export function Answer({ shown, isLast }: { shown: AnswerView; isLast: boolean }) {
  const { t } = useTranslation()
  const { message, isLive, isWaiting, isThinking = false, hasReasoning = false, isSearching = false, trouble } = shown
  const isWriting = isLive || !isOver(message)
  const showsThinking = isThinking && hasReasoning
  const { canStop } = useMessageRights(message)
  const speaker = useAnswering(message)
  const hasVersions = message.versions?.answers !== undefined
  const model = message.model?.split('/').at(-1)
  return (
    <div className={styles.answer} data-answer="" data-status={message.status}>
      <Speaker id={speaker}>
        <span className={styles.muted}>
          {(!isWriting || hasVersions) && model}
          {isWriting && hasVersions && model && !showsThinking && ' · '}
          {isWriting &&
            !showsThinking &&
            t(isSearching ? 'chat.searching' : isWaiting ? 'chat.waiting' : 'chat.writing')}
        </span>
      </Speaker>
      <AnswerText {...{ message, isLive, isWriting, isWaiting, isThinking }} />
      {/* The composer stops answers to the person's own questions. */}
      {isLive && !isWaiting && message.author && canStop && (
        <div className={styles.outcome}>
          {/* On pointer down: the growing answer may move the button away before the click. Twice is harmless. */}
          <Button
            size="small"
            onPointerDown={({ button }) => button === 0 && stopAnswerOf(message)}
            onClick={() => stopAnswerOf(message)}
          >
            {t('members.stop')}
          </Button>
        </div>
      )}
      {!isWriting && (trouble ? <Trouble message={message} kind={trouble} /> : <Outcome message={message} />)}
      {isWriting && hasVersions && (
        <div className={styles.tools}>
          <Suspense>
            <VersionSwitch message={message} part="answer" />
          </Suspense>
        </div>
      )}
      {!isWriting && <MessageTools message={message} isLast={isLast} canRegenerate={!trouble} />}
    </div>
  )
}

/** Why an answer cannot be stored or continued, and what the person can do. */
function Trouble({
  message: { channelId, mId },
  kind,
}: {
  message: Message
  kind: NonNullable<AnswerView['trouble']>
}) {
  const { t, language } = useTranslation()
  const resend = (event: MouseEvent): void => {
    focusExchange(event.currentTarget)
    resendMessage(channelId, mId).catch((failure: unknown) =>
      toast.error(errorMessage(failure, language) ?? t('chat.actionFailed')),
    )
  }
  return (
    <div className={styles.outcome}>
      <p className={styles.note} role="status">
        {t(kind === 'unsaved' ? 'chat.notSaved' : 'chat.connectionLost')}
      </p>
      {kind === 'unsaved' && (
        <Button size="small" onClick={() => void recover()}>
          {t('chat.retry')}
        </Button>
      )}
      {kind === 'lost' && (
        <Button size="small" onClick={resend}>
          {t('chat.resend')}
        </Button>
      )}
    </div>
  )
}

/** How an answer failed or was interrupted, and what the person can do. */
function Outcome({ message }: { message: Message }) {
  const { t, language } = useTranslation()
  const { status, channelId, mId, error, empty } = message
  const { canAsk } = useMessageRights(message)
  const channel = useChannel(channelId)
  // The author and the owner may both stop an answer: who of them did is unknown.
  const isOthersToo = channel !== undefined && isShared(channel)
  const orComplain = ({ currentTarget }: MouseEvent, action: Promise<void>): void => {
    focusExchange(currentTarget)
    action.catch((failure: unknown) => toast.error(errorMessage(failure, language) ?? t('chat.actionFailed')))
  }
  const resend = canAsk && (
    <Button size="small" onClick={(event) => orComplain(event, resendMessage(channelId, mId))}>
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
            <Button
              size="small"
              onClick={(event) => orComplain(event, continueMessage(channelId, mId, t('chat.continuePrompt')))}
            >
              {t('chat.continue')}
            </Button>
          )}
          {resend}
        </div>
      )
    case 'failed':
      return (
        <div className={styles.outcome}>
          {/* Not an alert: a toast reported it when it happened, and scrolling to it must not announce it again. */}
          <p className={styles.failed}>{error?.content ?? t('chat.actionFailed')}</p>
          {resend}
        </div>
      )
    default:
      return empty ? <div className={styles.outcome}>{resend}</div> : null
  }
}
