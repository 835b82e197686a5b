import { type ReactNode, Suspense, useEffect, useMemo } from 'react'
import { canKeep } from '../../data/channels/capabilities'
import { useBothHomes } from '../../data/channels/use-both-homes'
import { useChannel } from '../../data/channels/use-channels'
import { useMessages } from '../../data/channels/use-messages'
import { useIsAnsweringElse, useLiveState } from '../../data/chat/live-chat'
import { stopAnswer } from '../../data/chat/send-message'
import { useTranslation } from '../../i18n/interface-language'
import { useTargetMessage } from '../../lib/selected-channel'
import { Button } from '../../ui/button'
import { EmptyState } from '../../ui/empty-state'
import { lazyPart } from '../../ui/lazy-part'
import { RegionBoundary } from '../../ui/region-boundary'
import { Skeleton } from '../../ui/skeleton'
import { AnswerAnnouncer } from './answer-announcer'
import styles from './chat-view.module.css'
import { Composer } from './composer'
import { isRunning } from './exchange'
import { useForwarding } from './forward-state'
import { Greeting } from './greeting'
import { JumpNotice } from './jump-notice'
import { MessageList } from './message-list'
import { ReadOnlyNote } from './read-only-note'
import { useFollowedAnswers } from './use-followed-answers'
import { useReadReceipts } from './use-read-receipts'
import { useReading } from './use-reading'
import type { SourceParts } from './use-source-wait'

const BothHomesNote = lazyPart(() => import('./both-homes-note'))
const ForwardDialog = lazyPart(() => import('./forward-dialog'))

type Props = { channelId: string; tools?: ReactNode; sources: SourceParts }

/** An open channel: its messages and the composer. */
export function ChatView({ channelId, tools, sources }: Props) {
  const { t } = useTranslation()
  const target = useTargetMessage()
  const { messages, newest, isFresh, isPending, range, error, retry, targetState, ...pages } = useMessages(
    channelId,
    target,
  )
  const channel = useChannel(channelId)
  const bothHomes = useBothHomes(channelId)
  const agentId = channel?.assistantId ?? null
  useFollowedAnswers(channel, newest)
  useReadReceipts(channel, newest)
  const reading = useReading(channelId, isFresh ? newest : undefined)
  useChatKeys(channelId)
  const forwarded = useForwarding()

  const opening = useMemo(() => agentId !== null && <Greeting agentId={agentId} />, [agentId])
  const last = newest.at(-1)
  // Answers to other people's questions do not count as waiting.
  const asked = newest.findLast(({ author }) => author === undefined)
  const live = useLiveState(asked?.mId)
  const isSaving = live?.isSaving ?? false
  // Another version may be shown than the one that is written.
  const isElsewhere = useIsAnsweringElse(channelId, asked?.mId)
  const isBusy = isElsewhere || (asked !== undefined && isRunning(asked, live))
  const running = useMemo(() => (isBusy ? { isSaving } : undefined), [isBusy, isSaving])

  return (
    <div className={styles.chat} data-temporary={(channel && canKeep(channel)) || undefined}>
      {error && messages.length === 0 ? (
        <EmptyState title={t('chat.loadFailed')} action={<Retry onClick={retry} />} />
      ) : isPending ? (
        <Loading />
      ) : (
        <RegionBoundary>
          <MessageList
            key={range}
            messages={messages}
            {...pages}
            target={targetState && target}
            reading={reading}
            opening={opening}
          />
        </RegionBoundary>
      )}
      <JumpNotice where={targetState} message={messages.find(({ mId }) => mId === target?.mId)} />
      <div className={styles.bottom}>
        {error && messages.length > 0 && (
          <p className={styles.trouble} role="status">
            {t('chat.refreshFailed')}
            <Retry onClick={retry} />
          </p>
        )}
        <Suspense>{bothHomes && <BothHomesNote homes={bothHomes} />}</Suspense>
        {channel?.role === 'read' ? (
          <ReadOnlyNote ownerName={channel.ownerName ?? ''} />
        ) : (
          <Composer
            channelId={channelId}
            running={running}
            lastQuestion={asked?.chat_request}
            said={newest}
            tools={tools}
            sources={sources}
          />
        )}
      </div>
      <AnswerAnnouncer mId={last?.mId} agentId={agentId} />
      <Suspense>{forwarded && <ForwardDialog message={forwarded} />}</Suspense>
    </div>
  )
}

function Retry({ onClick }: { onClick: () => void }) {
  const { t } = useTranslation()
  return (
    <Button size="small" onClick={onClick}>
      {t('chat.retry')}
    </Button>
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

/** Shortcuts: Ctrl or ⌘ with a full stop stops the answer, with Shift+C copies the last one, wherever the focus is. */
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
