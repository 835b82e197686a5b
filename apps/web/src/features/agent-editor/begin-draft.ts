import '../../i18n/later-texts'
import { limits } from '@parley/contract/limits/shared'
import { beginDraft, useAgentEditor } from '../../data/agents/agent-editor-state'
import { type AgentForm, emptyForm, isUnchanged } from '../../data/agents/agent-form'
import type { Translate } from '../../i18n/interface-language'
import { confirmToast } from '../../ui/toast'

/** Asks whether the current draft may be discarded. */
export const mayDiscard = (t: Translate): Promise<boolean> =>
  confirmToast({ message: t('agentEditor.discard'), okLabel: t('agentEditor.discardOk'), danger: true })

/**
 * Starts the wizard with this draft. Answers false when that would have replaced a draft that the person wants to keep.
 */
export async function beginDraftWith(form: AgentForm, t: Translate): Promise<boolean> {
  if (!isUnchanged(useAgentEditor.getState().draft, emptyForm) && !(await mayDiscard(t))) return false
  beginDraft(form)
  return true
}

/** Adds a suffix to the copy's name, as far as the length allows. */
export function copyOf(form: AgentForm, t: Translate): AgentForm {
  const room = limits.agents.name - t('agentEditor.copyName', { name: '' }).length
  // Cuts at whole characters: half of one would be unreadable.
  let name = ''
  for (const character of form.name) if (name.length + character.length <= room) name += character
  return { ...form, name: t('agentEditor.copyName', { name: name.trimEnd() }) }
}
