import '../../i18n/later-texts'
import type { User } from '@parley/contract/users'
import { useState } from 'react'
import { closeAgentEditor, discardDraft } from '../../data/agents/agent-editor-state'
import { type AgentForm, draftOf } from '../../data/agents/agent-form'
import { saveAgent } from '../../data/agents/change-agents'
import { useTranslation } from '../../i18n/interface-language'
import { errorMessage } from '../../lib/error-message'
import { personName } from '../../lib/shown-person'
import { toast } from '../../ui/toast'
import { type SigningTerms, signingProblem } from './sui-terms'

/** Publishes a draft, then closes and empties the wizard. `problem`: why it failed; the draft is kept. */
export function useCreate(user: User, onRefused: (error: unknown) => void, terms?: SigningTerms) {
  const { t, language } = useTranslation()
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
      setProblem(signingProblem(error, t) ?? errorMessage(error, language) ?? t('agentEditor.createFailed'))
      onRefused(error)
    } finally {
      setIsBusy(false)
    }
  }

  return { create: (form: AgentForm) => void create(form), isBusy, problem, forgetProblem: () => setProblem(undefined) }
}
