import '../../i18n/later-texts'
import { isOwnAgent, type SeenAgent } from '@parley/contract/agents'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useAgent } from '../../data/agents/agent'
import { openAgentEditor } from '../../data/agents/agent-editor-state'
import { type AgentForm, formOf } from '../../data/agents/agent-form'
import { AgentLoading } from './agent-loading'
import { beginDraftWith, copyOf } from './begin-draft'

/** Opens the wizard with a copy: of one's own agent all of it, of another's what everybody sees. */
export function DuplicateAgent({ id }: { id: string }) {
  const { t } = useTranslation()
  const { agent, error, refetch } = useAgent(id)
  const isBegun = useRef(false)
  useEffect(() => {
    if (!agent || isBegun.current) return
    isBegun.current = true
    // Whoever keeps the draft that is there goes on with it.
    void beginDraftWith(copyOf(duplicable(agent), t), t).then(() => openAgentEditor({ kind: 'new' }))
  }, [agent, t])
  return <AgentLoading title={t('agentEditor.newTitle')} error={error} onRetry={refetch} />
}

/** Who may see the copy of another's agent is chosen anew, and so is its face where it is that person's picture. */
function duplicable(agent: SeenAgent): AgentForm {
  const form = formOf(agent)
  if (isOwnAgent(agent)) return form
  return { ...form, private: undefined, avatar: form.avatar.startsWith('/api/faces/') ? form.avatar : '' }
}
