import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useChannel } from '../../data/channels/use-channels'
import { useMessages } from '../../data/channels/use-messages'
import { useLiveAnswers } from '../../data/chat/live-chat'
import { stopAnswer } from '../../data/chat/send-message'
import { useWantedMessage } from '../../lib/selected-channel'
import { EmptyState } from '../../ui/empty-state'
import { Skeleton } from '../../ui/skeleton'
import { isOver } from './answer'
import { AnswerAnnouncer } from './answer-announcer'
import styles from './chat-view.module.css'
import { Composer } from './composer'
import { shownOf } from './exchange'
import { JumpNotice } from './jump-notice'
import { MessageList } from './message-list'
import { ReadOnlyNote } from './read-only-note'
import { useChat } from './use-chat-notices'
import { useReadReceipts } from './use-read-receipts'

/** An open channel: its messages and the composer. */
export function ChatView({ channelId }: { channelId: string }) {
  const { t } = useTranslation()
  const wanted = useWantedMessage()
  const { messages, isPending, hasOlder, loadOlder, error, wanted: isWanted } = useMessages(channelId, wanted?.mId)
  const live = useLiveAnswers(channelId)
  const channel = useChannel(channelId)
  useChat()
  useReadReceipts(channel, messages)
  useChatKeys(channelId)

  const last = messages.at(-1)
  const shown = last && shownOf(last, live[last.mId])
  // Nobody waits for the answer to what somebody else asked.
  const isRunning = shown !== undefined && !shown.message.author && (shown.isLive || !isOver(shown.message))
  const running = isRunning ? { isSaving: live[shown.message.mId]?.isSaving ?? false } : undefined

  return (
    <div className={styles.chat}>
      {error ? (
        <EmptyState title={t('chat.loadFailed')} />
      ) : isPending ? (
        <Loading />
      ) : (
        <MessageList messages={messages} hasOlder={hasOlder} loadOlder={loadOlder} wanted={wanted} />
      )}
      <JumpNotice where={isWanted} message={messages.find(({ mId }) => mId === wanted?.mId)} />
      <div className={styles.bottom}>
        {channel?.role === 'read' ? (
          <ReadOnlyNote ownerName={channel.ownerName ?? ''} />
        ) : (
          <Composer channelId={channelId} running={running} lastQuestion={last?.author ? undefined : last?.chat_request} />
        )}
      </div>
      <AnswerAnnouncer live={last && live[last.mId]} />
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
