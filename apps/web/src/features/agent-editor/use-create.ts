import '../../i18n/later-texts'
import type { User } from '@parley/contract/users'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { closeAgentEditor, discardDraft } from '../../data/agents/agent-editor-state'
import { type AgentForm, draftOf } from '../../data/agents/agent-form'
import { saveAgent } from '../../data/agents/change-agents'
import { errorMessage } from '../../lib/error-message'
import { personName } from '../../lib/shown-person'
import { toast } from '../../ui/toast'
import { signingProblem, type Terms } from './sui-terms'

/** Publishes a draft; afterwards the wizard is closed, and empty for the next one. `problem`: why it was not, and the draft is still there. */
export function useCreate(user: User, onRefused: (error: unknown) => void, terms?: Terms) {
  const { t, i18n } = useTranslation()
  const [isBusy, setIsBusy] = useState(false)
  const [problem, setProblem] = useState<string>()

  async function create(form: AgentForm) {
    const draft = draftOf(form, { userName: personName(user) })
    if (!draft) return
    setIsBusy(true)
    setProblem(undefined)
    try {
      await (terms ? terms.publish(draft) : saveAgent(draft))
      discardDraft()
      const close = terms?.onClose ?? closeAgentEditor
      close()
      toast.success(t('agentEditor.created'))
    } catch (error) {
      toast.error(t('agentEditor.createFailed'))
      setProblem(signingProblem(error, t) ?? errorMessage(error, i18n.language) ?? t('agentEditor.createFailed'))
      onRefused(error)
    } finally {
      setIsBusy(false)
    }
  }

  return { create: (form: AgentForm) => void create(form), isBusy, problem, forgetProblem: () => setProblem(undefined) }
}
