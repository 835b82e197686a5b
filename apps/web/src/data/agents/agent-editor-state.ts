import { create } from 'zustand'
import { openLoginPanel } from '../session/login-panel'
import { onSessionChange, storedSession } from '../session/stored-session'
import { type AgentForm, emptyForm } from './agent-form'

/** duplicate: a new agent that begins as a copy of this one. */
export type AgentEditor = { kind: 'new' } | { kind: 'edit'; id: string } | { kind: 'duplicate'; id: string } | { kind: 'import' }

/** 0: general info, 1: data and knowledge, 2: final review. */
export type WizardStep = 0 | 1 | 2

type State = {
  open: AgentEditor | undefined
  /** Of the agent that is being published. It lasts as long as the app runs: whoever goes to another page finds it again. */
  draft: AgentForm
  step: WizardStep
}

const closed: State = { open: undefined, draft: emptyForm, step: 0 }

export const useAgentEditor = create<State>(() => closed)

// A draft is its writer's alone.
onSessionChange(() => useAgentEditor.setState(closed))

/** Whoever is not signed in is asked to. */
export function openAgentEditor(what: AgentEditor): void {
  if (storedSession()) useAgentEditor.setState({ open: what })
  else openLoginPanel()
}

/** The draft stays. */
export function closeAgentEditor(): void {
  useAgentEditor.setState({ open: undefined })
}

export function changeDraft(change: Partial<AgentForm>): void {
  useAgentEditor.setState(({ draft }) => ({ draft: { ...draft, ...change } }))
}

export function goToStep(step: WizardStep): void {
  useAgentEditor.setState({ step })
}

/** From its first step on, as this. */
export function beginDraft(draft: AgentForm): void {
  useAgentEditor.setState({ draft, step: 0 })
}

export const discardDraft = (): void => beginDraft(emptyForm)
