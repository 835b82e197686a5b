import type { Message } from '@parley/contract/chat'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useChannelAgent } from '../../data/agents/channel-agent'
import { useChannel } from '../../data/channels/use-channels'
import { AgentFace } from '../../ui/agent-face'
import { Avatar } from '../../ui/avatar'
import styles from './message.module.css'

/** Who answered: the agent that the message names, else the channel's; null is the general assistant. What came from another channel was not said by this one's. */
export function useAnswering({ assistantId, forwarded, channelId }: Pick<Message, 'assistantId' | 'forwarded' | 'channelId'>): string | null {
  const channel = useChannel(channelId)
  return assistantId ?? (forwarded ? null : channel?.assistantId) ?? null
}

/** Also of an agent that is gone, if this device ever knew it. */
export function useSpeakerName(id: string | null): string {
  const { t } = useTranslation()
  const { agent } = useChannelAgent(id)
  return agent?.name ?? t(id === null ? 'chat.agent' : 'chat.someAgent')
}

/** Face and name above what an agent says. */
export function Speaker({ id, children }: { id: string | null; children?: ReactNode }) {
  const { agent } = useChannelAgent(id)
  const name = useSpeakerName(id)
  return (
    <div className={styles.who}>
      {id === null ? <Avatar seed="parley" name="" size={26} /> : <AgentFace src={agent?.profileImage ?? ''} size={26} />}
      <span dir="auto" className={styles.speaker}>
        {name}
      </span>
      {children}
    </div>
  )
}
