import { create } from 'zustand'
import { readChatSettings, storeChatSettings } from '../session/chat-settings'
import { storedSession, useUser } from '../session/stored-session'

type ChosenModel = { id: string; name: string }

type State = {
  /** The person whose choice it is: the next person of this browser must not find it. */
  of: string | undefined
  chosen: ChosenModel | undefined
  /** There is no list to choose from: the default model answers, and the choice is kept. */
  isSuspended: boolean
  /** The default model, with its name in the list. */
  byDefault: ChosenModel | undefined
}

const userId = (): string | undefined => storedSession()?.user.id

const useState = create<State>(() => ({ of: userId(), chosen: read(), isSuspended: false, byDefault: undefined }))

function read(): ChosenModel | undefined {
  const { machine, machineName } = readChatSettings()
  return typeof machine === 'string' && typeof machineName === 'string' ? { id: machine, name: machineName } : undefined
}

/** The choice of the person who is signed in now. */
function current(): State {
  const state = useState.getState()
  if (state.of !== userId()) useState.setState({ of: userId(), chosen: read() })
  return useState.getState()
}

/** The model that answers the next question; undefined: the server's default one. */
export function chosenModelId(): string | undefined {
  const { chosen, isSuspended } = current()
  return isSuspended ? undefined : chosen?.id
}

/**
 * The model id that a question sends. An anonymous person's question sends none for the default model, whose id may
 * change.
 */
export function requestModelId(): string | undefined {
  return chosenModelId() ?? (storedSession() ? current().byDefault?.id : undefined)
}

/** The model for display: the choice, and the default model once the list has given its name. */
export function useChosenModel(): { chosen: ChosenModel | undefined; byDefault: ChosenModel | undefined } {
  const user = useUser()
  const { of, chosen, isSuspended, byDefault } = useState()
  return { chosen: isSuspended || of !== user?.id ? undefined : chosen, byDefault }
}

/** Undefined chooses the default model. */
export function chooseModel(chosen: ChosenModel | undefined): void {
  useState.setState({ of: userId(), chosen, isSuspended: false })
  storeChatSettings({ machine: chosen?.id ?? null, machineName: chosen?.name ?? null })
}

/** Suspends the choice while there is no list to choose from. */
export function suspendChoice(isSuspended: boolean): void {
  if (current().isSuspended !== isSuspended) useState.setState({ isSuspended })
}

export function nameDefaultModel(byDefault: ChosenModel): void {
  useState.setState({ byDefault })
}
