import type { Message } from '@parley/contract/chat'
import type { ReactNode } from 'react'
import { useChannelAgent } from '../../data/agents/channel-agent'
import { useChannel } from '../../data/channels/use-channels'
import { useTranslation } from '../../i18n/interface-language'
import { AgentFace } from '../../ui/agent-face'
import { Avatar } from '../../ui/avatar'
import styles from './message.module.css'

/**
 * The agent of an answer: the message's own, else the channel's; null is the general assistant. A forwarded message is
 * not attributed to the channel's agent.
 */
export function useAnswering({
  assistantId,
  forwarded,
  channelId,
}: Pick<Message, 'assistantId' | 'forwarded' | 'channelId'>): string | null {
  const channel = useChannel(channelId)
  return assistantId ?? (forwarded ? null : channel?.assistantId) ?? null
}

/** Also of a deleted agent, if this device has stored it. */
export function useSpeakerName(id: string | null): string {
  const { t } = useTranslation()
  const { agent } = useChannelAgent(id)
  return agent?.name ?? t(id === null ? 'chat.agent' : 'chat.someAgent')
}

/** Picture and name of the agent above its answer. */
export function Speaker({ id, children }: { id: string | null; children?: ReactNode }) {
  const { agent } = useChannelAgent(id)
  const name = useSpeakerName(id)
  return (
    <div className={styles.who}>
      {id === null ? (
        <Avatar seed="parley" name="" size={26} />
      ) : (
        <AgentFace src={agent?.profileImage ?? ''} size={26} />
      )}
      <span dir="auto" className={styles.speaker}>
        {name}
      </span>
      {children}
    </div>
  )
}
