import { create } from 'zustand'
import { resetWithScope } from '../scope/scope'
import { openLoginPanel } from '../session/login-panel'
import { storedSession } from '../session/stored-session'
import { type AgentForm, emptyForm } from './agent-form'

/** duplicate: a new agent whose form starts as a copy of this one. */
export type AgentEditor =
  | { kind: 'new' }
  | { kind: 'edit'; id: string }
  | { kind: 'duplicate'; id: string }
  | { kind: 'import' }

/** 0: general info, 1: data and knowledge, 2: final review. */
export type WizardStep = 0 | 1 | 2

type State = {
  open: AgentEditor | undefined
  /**
   * Of the agent that is being published. It lives as long as the page: a person who visits another screen finds it
   * again.
   */
  draft: AgentForm
  step: WizardStep
}

const closed: State = { open: undefined, draft: emptyForm, step: 0 }

// A draft must not reach the next person of this browser.
export const useAgentEditor = resetWithScope(create<State>(() => closed))

/** Opens the sign-in panel instead for an anonymous person. */
export function openAgentEditor(what: AgentEditor): void {
  if (storedSession()) useAgentEditor.setState({ open: what })
  else openLoginPanel()
}

/** Closes the editor and keeps the draft. */
export function closeAgentEditor(): void {
  useAgentEditor.setState({ open: undefined })
}

export function changeDraft(change: Partial<AgentForm>): void {
  useAgentEditor.setState(({ draft }) => ({ draft: { ...draft, ...change } }))
}

export function goToStep(step: WizardStep): void {
  useAgentEditor.setState({ step })
}

/** Starts the wizard at its first step with this draft. */
export function beginDraft(draft: AgentForm): void {
  useAgentEditor.setState({ draft, step: 0 })
}

export const discardDraft = (): void => beginDraft(emptyForm)
