import '../../i18n/later-texts'
import { agentTexts } from '@parley/contract/agents'
import { errorText } from '@parley/contract/errors'
import { type ReactNode, useEffect } from 'react'
import { chooseAgent, useChosenAgent } from '../../data/agents/chosen-agent'
import { useTranslation } from '../../i18n/interface-language'
import { AgentFace } from '../../ui/agent-face'
import { Button } from '../../ui/button'
import { toast } from '../../ui/toast'
import styles from './agent-welcome.module.css'

/** The agent of the new chat with its greeting. */
export default function AgentWelcome(): ReactNode {
  const { t, language } = useTranslation()
  const { agent, isGone } = useChosenAgent()

  useEffect(() => {
    if (!isGone) return
    // A chat with it could not start.
    chooseAgent(undefined)
    toast.error(errorText('agent.unavailable', language))
  }, [isGone, language])

  // It is read from the device, which takes a moment.
  if (!agent) return <div className={styles.awaited} />
  const { role, defaultGreetings } = agentTexts(agent, language)
  return (
    <section className={styles.welcome} aria-label={agent.name}>
      <header>
        <AgentFace src={agent.profileImage} size={76} />
        <div className={styles.words}>
          <h1 dir="auto">{agent.name}</h1>
          <p dir="auto">{role}</p>
          {agent.userName && <p className={styles.by}>{t('chat.agentBy', { name: agent.userName })}</p>}
        </div>
        <Button variant="quiet" size="small" onClick={() => chooseAgent(undefined)}>
          {t('chat.withoutAgent')}
        </Button>
      </header>
      {defaultGreetings.trim() && (
        <p className={styles.greeting} dir="auto" data-greeting="">
          {defaultGreetings}
        </p>
      )}
    </section>
  )
}
