import { agentTexts } from '@parley/contract/agents'
import { useTranslation } from 'react-i18next'
import { useChannelAgent } from '../../data/agents/channel-agent'
import styles from './message.module.css'
import { Speaker } from './speaker'

/** What an agent says first, in the reader's language. It is no message: nobody asked for it, it is not stored and costs nothing. */
export function Greeting({ agentId }: { agentId: string }) {
  const { i18n } = useTranslation()
  const { agent } = useChannelAgent(agentId)
  const greeting = agent && agentTexts(agent, i18n.language).defaultGreetings.trim()
  if (!greeting) return null
  return (
    <div className={styles.greeting} data-greeting="">
      <Speaker id={agentId} />
      <p className={styles.plain} dir="auto">
        {greeting}
      </p>
    </div>
  )
}
