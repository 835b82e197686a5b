import { isShared } from '@parley/contract/channels'
import { isOver, type Message } from '@parley/contract/chat'
import { type MouseEvent, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { useChannel } from '../../data/channels/use-channels'
import { useMessageRights } from '../../data/channels/use-message-rights'
import { recover } from '../../data/chat/chat-engine'
import { continueMessage, resendMessage, stopAnswerOf } from '../../data/chat/send-message'
import { errorMessage } from '../../lib/error-message'
import { Button } from '../../ui/button'
import { lazyExtra } from '../../ui/lazy-part'
import { toast } from '../../ui/toast'
import { focusExchange } from './focus-exchange'
import styles from './message.module.css'
import { MessageTools } from './message-tools'
import { Speaker, useAnswering } from './speaker'

/** Shown while the renderer loads; a browser takes a minute to lay out a word of a million letters. */
const firstGlance = 4_000

const Markdown = lazyExtra(() => import('../../ui/markdown/markdown'))

/** `message` as it is shown: the live text where an answer is being written. */
export type Shown = {
  message: Message
  isLive: boolean
  isWaiting: boolean
  /** unsaved: its end could not be stored yet. lost: the connection is away; lost-elsewhere: and it was asked for on another device, or by somebody else. */
  trouble?: 'unsaved' | 'lost' | 'lost-elsewhere'
}

export function Answer({ shown, isLast }: { shown: Shown; isLast: boolean }) {
  const { t } = useTranslation()
  const { message, isLive, isWaiting, trouble } = shown
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
      {!isWriting && (trouble ? <Trouble message={message} kind={trouble} /> : <Outcome message={message} />)}
      {!isWriting && <MessageTools message={message} isLast={isLast} canRegenerate={!trouble} />}
    </div>
  )
}

/** What keeps an answer from being stored, or from being written on, and what can be done about it. */
function Trouble({ message: { channelId, mId }, kind }: { message: Message; kind: NonNullable<Shown['trouble']> }) {
  const { t, i18n } = useTranslation()
  const resend = (event: MouseEvent): void => {
    focusExchange(event.currentTarget)
    resendMessage(channelId, mId).catch((failure: unknown) => toast.error(errorMessage(failure, i18n.language) ?? t('chat.actionFailed')))
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

/** How the answer ended, when it did not end well, and what can be done about it. */
function Outcome({ message }: { message: Message }) {
  const { t, i18n } = useTranslation()
  const { status, channelId, mId, error, empty } = message
  const { canAsk } = useMessageRights(message)
  const channel = useChannel(channelId)
  // Whoever asked and the owner may stop: who of them did is not known.
  const isOthersToo = channel !== undefined && isShared(channel)
  const orComplain = ({ currentTarget }: MouseEvent, action: Promise<void>): void => {
    focusExchange(currentTarget)
    action.catch((failure: unknown) => toast.error(errorMessage(failure, i18n.language) ?? t('chat.actionFailed')))
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
            <Button size="small" onClick={(event) => orComplain(event, continueMessage(channelId, mId, t('chat.continuePrompt')))}>
              {t('chat.continue')}
            </Button>
          )}
          {resend}
        </div>
      )
    case 'failed':
      return (
        <div className={styles.outcome}>
          {/* No alert: a toast has told it when it happened, and an old failure that scrolls into sight is no news. */}
          <p className={styles.failed}>{error?.content ?? t('chat.actionFailed')}</p>
          {resend}
        </div>
      )
    default:
      return empty ? <div className={styles.outcome}>{resend}</div> : null
  }
}
