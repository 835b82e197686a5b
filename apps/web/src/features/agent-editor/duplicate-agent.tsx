import '../../i18n/later-texts'
import { isOwnAgent, type SeenAgent } from '@parley/contract/agents'
import { useEffect, useRef } from 'react'
import { useAgent } from '../../data/agents/agent'
import { openAgentEditor } from '../../data/agents/agent-editor-state'
import { type AgentForm, formOf } from '../../data/agents/agent-form'
import { useTranslation } from '../../i18n/interface-language'
import { AgentLoading } from './agent-loading'
import { beginDraftWith, copyOf } from './begin-draft'

/**
 * Opens the wizard with a copy of an agent: of the person's own agent with all fields, of another's with its public
 * ones.
 */
export function DuplicateAgent({ id }: { id: string }) {
  const { t } = useTranslation()
  const { agent, error, refetch } = useAgent(id)
  const isBegun = useRef(false)
  useEffect(() => {
    if (!agent || isBegun.current) return
    isBegun.current = true
    // A person who keeps the current draft continues with it.
    void beginDraftWith(copyOf(duplicable(agent), t), t).then(() => openAgentEditor({ kind: 'new' }))
  }, [agent, t])
  return <AgentLoading title={t('agentEditor.newTitle')} error={error} onRetry={refetch} />
}

/** A copy of another person's agent has no visibility yet, and no picture where that was an upload of that person. */
function duplicable(agent: SeenAgent): AgentForm {
  const form = formOf(agent)
  if (isOwnAgent(agent)) return form
  return { ...form, private: undefined, avatar: form.avatar.startsWith('/api/faces/') ? form.avatar : '' }
}
