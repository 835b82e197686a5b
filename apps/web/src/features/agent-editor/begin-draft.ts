import '../../i18n/later-texts'
import { limits } from '@parley/contract/limits'
import type { TFunction } from 'i18next'
import { beginDraft, useAgentEditor } from '../../data/agents/agent-editor-state'
import { type AgentForm, emptyForm, isUnchanged } from '../../data/agents/agent-form'
import { confirmToast } from '../../ui/toast'

/** Whether what was written may go. */
export const mayDiscard = (t: TFunction): Promise<boolean> =>
  confirmToast({ message: t('agentEditor.discard'), okLabel: t('agentEditor.discardOk'), danger: true })

/** The wizard goes on with this. False: it would have replaced what is written there, and the person wants to keep that. */
export async function beginDraftWith(form: AgentForm, t: TFunction): Promise<boolean> {
  if (!isUnchanged(useAgentEditor.getState().draft, emptyForm) && !(await mayDiscard(t))) return false
  beginDraft(form)
  return true
}

/** With a name that tells the two apart, as far as there is room for it. */
export function copyOf(form: AgentForm, t: TFunction): AgentForm {
  const room = limits.agents.name - t('agentEditor.copyName', { name: '' }).length
  // Whole characters: half of one would be unreadable.
  let name = ''
  for (const character of form.name) if (name.length + character.length <= room) name += character
  return { ...form, name: t('agentEditor.copyName', { name: name.trimEnd() }) }
}
