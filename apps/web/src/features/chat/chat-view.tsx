import { isOver } from '@parley/contract/chat'
import { type ReactNode, Suspense, useEffect, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useChannel } from '../../data/channels/use-channels'
import { useMessages } from '../../data/channels/use-messages'
import { useLiveAnswers } from '../../data/chat/live-chat'
import { stopAnswer } from '../../data/chat/send-message'
import { useWantedMessage } from '../../lib/selected-channel'
import { EmptyState } from '../../ui/empty-state'
import { lazyPart } from '../../ui/lazy-part'
import { Skeleton } from '../../ui/skeleton'
import { AnswerAnnouncer } from './answer-announcer'
import styles from './chat-view.module.css'
import { Composer } from './composer'
import { shownOf } from './exchange'
import { useForwarding } from './forward-state'
import { Greeting } from './greeting'
import { JumpNotice } from './jump-notice'
import { MessageList } from './message-list'
import { ReadOnlyNote } from './read-only-note'
import { useFollowedAnswers } from './use-followed-answers'
import { useReadReceipts } from './use-read-receipts'

const ForwardDialog = lazyPart(() => import('./forward-dialog'))

/** An open channel: its messages and the composer. */
export function ChatView({ channelId, tools }: { channelId: string; tools?: ReactNode }) {
  const { t } = useTranslation()
  const wanted = useWantedMessage()
  const { messages, newest, isPending, stretch, error, wanted: isWanted, ...pages } = useMessages(channelId, wanted)
  const live = useLiveAnswers(channelId)
  const channel = useChannel(channelId)
  const agentId = channel?.assistantId ?? null
  useFollowedAnswers(channel, newest)
  useReadReceipts(channel, newest)
  useChatKeys(channelId)
  const forwarded = useForwarding()

  const opening = useMemo(() => agentId !== null && <Greeting agentId={agentId} />, [agentId])
  const last = newest.at(-1)
  // Nobody waits for the answer to what somebody else asked.
  const asked = newest.findLast(({ author }) => author === undefined)
  const shown = asked && shownOf(asked, live[asked.mId])
  const isRunning = shown !== undefined && (shown.isLive || !isOver(shown.message))
  const running = isRunning ? { isSaving: live[shown.message.mId]?.isSaving ?? false } : undefined

  return (
    <div className={styles.chat}>
      {error ? (
        <EmptyState title={t('chat.loadFailed')} />
      ) : isPending ? (
        <Loading />
      ) : (
        <MessageList key={stretch} messages={messages} {...pages} wanted={isWanted && wanted} opening={opening} />
      )}
      <JumpNotice where={isWanted} message={messages.find(({ mId }) => mId === wanted?.mId)} />
      <div className={styles.bottom}>
        {channel?.role === 'read' ? (
          <ReadOnlyNote ownerName={channel.ownerName ?? ''} />
        ) : (
          <Composer channelId={channelId} running={running} lastQuestion={asked?.chat_request} said={newest} tools={tools} />
        )}
      </div>
      <AnswerAnnouncer live={last && live[last.mId]} agentId={agentId} />
      <Suspense>{forwarded && <ForwardDialog message={forwarded} />}</Suspense>
    </div>
  )
}

function Loading() {
  const { t } = useTranslation()
  return (
    <div className={styles.loading} role="status" aria-label={t('chat.loading')}>
      <Skeleton width="45%" height="40px" />
      <Skeleton width="100%" height="16px" />
      <Skeleton width="92%" height="16px" />
      <Skeleton width="60%" height="16px" />
    </div>
  )
}

/** Ctrl or ⌘ with a full stop stops, with Shift+C copies the last answer, wherever the focus is. */
function useChatKeys(channelId: string): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (!event.ctrlKey && !event.metaKey) return
      if (event.key === '.') {
        event.preventDefault()
        void stopAnswer(channelId)
      }
      if (event.shiftKey && event.key.toLowerCase() === 'c') {
        const buttons = document.querySelectorAll<HTMLButtonElement>('[data-copy-answer]')
        if (buttons.length === 0) return
        event.preventDefault()
        buttons[buttons.length - 1]?.click()
      }
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [channelId])
}
