import '../../i18n/later-texts'
import type { User } from '@parley/contract/users'
import { useState } from 'react'
import { closeAgentEditor } from '../../data/agents/agent-editor-state'
import { type AgentForm, draftOf } from '../../data/agents/agent-form'
import { deleteAgent, saveAgent } from '../../data/agents/change-agents'
import { useTranslation } from '../../i18n/interface-language'
import { errorMessage } from '../../lib/error-message'
import { personName } from '../../lib/shown-person'
import { confirmToast, toast } from '../../ui/toast'
import { type SigningTerms, signingProblem } from './sui-terms'

/** Saves the changes of the person's own agent, and closes the dialog. */
export function useSave(id: string, user: User, onRefused: (error: unknown) => void, terms?: SigningTerms) {
  const { t, language } = useTranslation()
  const [isSaving, setIsSaving] = useState(false)
  const [problem, setProblem] = useState<string>()

  async function save(form: AgentForm) {
    const draft = draftOf(form, { id, userName: personName(user) })
    if (!draft) return
    setIsSaving(true)
    setProblem(undefined)
    try {
      await (terms ? terms.publish(draft) : saveAgent(draft))
      const close = terms?.onClose ?? closeAgentEditor
      close()
      toast.success(t('agentEditor.updated'))
    } catch (error) {
      toast.error(t('agentEditor.updateFailed'))
      setProblem(signingProblem(error, t) ?? errorMessage(error, language) ?? t('agentEditor.updateFailed'))
      onRefused(error)
    } finally {
      setIsSaving(false)
    }
  }

  return { save: (form: AgentForm) => void save(form), isSaving, problem }
}

/** Deletes the agent after a confirmation, and closes the dialog. */
export function useRemove(id: string, name: string, terms?: SigningTerms) {
  const { t } = useTranslation()
  const [isRemoving, setIsRemoving] = useState(false)

  async function remove() {
    if (id === '') return toast.error(t('agentEditor.noId'))
    if (
      !(await confirmToast({
        message: t('agentEditor.deleteQuestion', { name }),
        okLabel: t('agentEditor.delete'),
        danger: true,
      }))
    )
      return
    setIsRemoving(true)
    try {
      await (terms?.remove ? terms.remove() : deleteAgent(id))
      const close = terms?.onClose ?? closeAgentEditor
      close()
      toast.success(t('agentEditor.deleted'))
    } catch {
      // Any other error: the agent still exists, and deleting can be tried again.
      toast.error(t('agentEditor.deleteFailed'))
    } finally {
      setIsRemoving(false)
    }
  }

  return { remove: () => void remove(), isRemoving }
}
