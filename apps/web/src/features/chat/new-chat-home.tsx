import { Bug, GraduationCap, Map as MapIcon, ScrollText } from 'lucide-react'
import { type ReactNode, Suspense, useState } from 'react'
import { useChosenAgentId } from '../../data/agents/chosen-agent'
import { canKeep } from '../../data/channels/capabilities'
import { useIsNewChatTemporary } from '../../data/channels/new-chat'
import { useChannels } from '../../data/channels/use-channels'
import { useConfig } from '../../data/config/use-config'
import { useUser } from '../../data/session/stored-session'
import { useTranslation } from '../../i18n/interface-language'
import { lazyExtra } from '../../ui/lazy-part'
import { Composer } from './composer'
import styles from './new-chat-home.module.css'
import { useSharedDraft } from './use-shared-draft'
import type { SourceParts } from './use-source-wait'

// Loaded separately: a failure to load must not break the screen.
const AgentWelcome = lazyExtra(() => import('./agent-welcome'))
const TemporaryNote = lazyExtra(() => import('./temporary-note'))

const suggestions = [
  {
    icon: ScrollText,
    title: 'chat.suggestContract',
    hint: 'chat.suggestContractHint',
    text: 'chat.suggestContractText',
  },
  { icon: Bug, title: 'chat.suggestError', hint: 'chat.suggestErrorHint', text: 'chat.suggestErrorText' },
  { icon: MapIcon, title: 'chat.suggestTrip', hint: 'chat.suggestTripHint', text: 'chat.suggestTripText' },
  { icon: GraduationCap, title: 'chat.suggestQuiz', hint: 'chat.suggestQuizHint', text: 'chat.suggestQuizText' },
] as const

/** The start of a new chat: the first question creates its channel. */
export function NewChatHome({ tools, sources }: { tools?: ReactNode; sources: SourceParts }) {
  const { t } = useTranslation()
  const config = useConfig()
  const [suggestion, setSuggestion] = useState<{ text: string }>()
  const shared = useSharedDraft()
  const isTemporary = useIsNewChatTemporary()
  const guestId = useGuestChannelId()
  const guestChannelId = isTemporary ? undefined : guestId
  const agentId = useChosenAgentId()
  const hasAgent = agentId !== undefined && guestChannelId === undefined

  return (
    <div className={styles.home} data-temporary={isTemporary || undefined}>
      <div className={styles.column}>
        {hasAgent ? (
          <Suspense fallback={<div className={styles.awaited} />}>
            <AgentWelcome />
          </Suspense>
        ) : (
          <h1>{t('chat.homeTitle')}</h1>
        )}
        <Composer
          channelId={undefined}
          sendTo={guestChannelId}
          suggestion={suggestion ?? shared}
          tools={tools}
          sources={sources}
        />
        {isTemporary && (
          <Suspense fallback={<div className={styles.awaitedNote} />}>
            <TemporaryNote />
          </Suspense>
        )}
        {config?.models === 'offline' && <p className={styles.note}>{t('chat.noModel')}</p>}
        {!hasAgent && (
          <ul className={styles.cards} aria-label={t('chat.suggestions')}>
            {suggestions.map(({ icon: Icon, title, hint, text }) => (
              <li key={title}>
                <button type="button" className={styles.card} onClick={() => setSuggestion({ text: t(text) })}>
                  <Icon aria-hidden="true" />
                  <b>{t(title)}</b>
                  <span>{t(hint)}</span>
                </button>
              </li>
            ))}
          </ul>
        )}
      </div>
    </div>
  )
}

/** An anonymous person has only one channel where the server offers accounts; a question on this page continues it. */
function useGuestChannelId(): string | undefined {
  const isGuest = useUser() === undefined
  const canSignIn = (useConfig()?.signInMethods.length ?? 0) > 0
  const { channels } = useChannels()
  return isGuest && canSignIn ? channels.find((channel) => !canKeep(channel))?.id : undefined
}
