import { create } from 'zustand'
import { keepMainChat, readMainChat } from '../chat/main-chat'
import { storedSession, useUser } from '../session/stored-session'

type ChosenModel = { id: string; name: string }

type State = {
  /** Per person, so that nobody finds another one's choice. */
  of: string | undefined
  chosen: ChosenModel | undefined
  /** There is nothing to choose now: the default model answers, and the choice waits. */
  isSuspended: boolean
  /** What the list calls the default model. */
  byDefault: ChosenModel | undefined
}

const userId = (): string | undefined => storedSession()?.user.id

const useState = create<State>(() => ({ of: userId(), chosen: read(), isSuspended: false, byDefault: undefined }))

function read(): ChosenModel | undefined {
  const { machine, machineName } = readMainChat()
  return typeof machine === 'string' && typeof machineName === 'string' ? { id: machine, name: machineName } : undefined
}

/** As it is for whoever is signed in now. */
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

/** The model that a question names. An anonymous person gets the default one whatever it is called by now, so that it is not named. */
export function askedModelId(): string | undefined {
  return chosenModelId() ?? (storedSession() ? current().byDefault?.id : undefined)
}

/** What is shown of it: the choice that counts now, and the default model once the list has told its name. */
export function useChosenModel(): { chosen: ChosenModel | undefined; byDefault: ChosenModel | undefined } {
  const user = useUser()
  const { of, chosen, isSuspended, byDefault } = useState()
  return { chosen: isSuspended || of !== user?.id ? undefined : chosen, byDefault }
}

/** Undefined goes back to the default model. */
export function chooseModel(chosen: ChosenModel | undefined): void {
  useState.setState({ of: userId(), chosen, isSuspended: false })
  keepMainChat({ machine: chosen?.id ?? null, machineName: chosen?.name ?? null })
}

/** The choice waits while there is nothing to choose from. */
export function suspendChoice(isSuspended: boolean): void {
  if (current().isSuspended !== isSuspended) useState.setState({ isSuspended })
}

export function nameDefaultModel(byDefault: ChosenModel): void {
  useState.setState({ byDefault })
}
