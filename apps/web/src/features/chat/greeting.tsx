import { agentTexts } from '@parley/contract/agents'
import { useChannelAgent } from '../../data/agents/channel-agent'
import { useTranslation } from '../../i18n/interface-language'
import styles from './message.module.css'
import { Speaker } from './speaker'

/** An agent's greeting, in the reader's language. It is not a message: it is not stored and costs nothing. */
export function Greeting({ agentId }: { agentId: string }) {
  const { language } = useTranslation()
  const { agent } = useChannelAgent(agentId)
  const greeting = agent && agentTexts(agent, language).defaultGreetings.trim()
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
