import '../../i18n/later-texts'
import { useEffect } from 'react'
import { noteAgentUse, refreshAgentHabits } from '../../data/agents/agent-habits'
import type { ChosenAgent } from '../../data/agents/chosen-agent'
import { useTranslation } from '../../i18n/interface-language'
import { Dialog } from '../../ui/dialog'
import { AgentPicker } from './agent-picker'

type Props = { currentId: string | undefined; onChoose: (agent: ChosenAgent | undefined) => void; onClose: () => void }

/** The dialog that picks the agent of a chat. */
export default function AgentDialog({ currentId, onChoose, onClose }: Props) {
  const { t } = useTranslation()
  useEffect(refreshAgentHabits, [])

  function choose(agent: ChosenAgent | undefined) {
    if (agent) noteAgentUse(agent._id)
    onChoose(agent)
  }

  return (
    <Dialog title={t('agentPicker.title')} size="large" onClose={onClose}>
      <AgentPicker currentId={currentId} onChoose={choose} onClose={onClose} />
    </Dialog>
  )
}
