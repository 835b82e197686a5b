import type { SeenAgent } from '@parley/contract/agents'
import { create } from 'zustand'
import { keepMainChat, readMainChat } from '../chat/main-chat'
import { storedSession, useUser } from '../session/stored-session'
import { type ChannelAgent, useChannelAgent } from './channel-agent'

/** The agent that a new chat begins with. */
export type ChosenAgent = ChannelAgent | SeenAgent

type State = {
  /** Per person, so that nobody finds another one's choice. */
  of: string | undefined
  id: string | undefined
  /** As it was chosen in this page; after a reload the device knows it. */
  agent: ChosenAgent | undefined
}

const userId = (): string | undefined => storedSession()?.user.id

const useState = create<State>(read)

function read(): State {
  const { assistant } = readMainChat()
  return { of: userId(), id: typeof assistant === 'string' ? assistant : undefined, agent: undefined }
}

/** As it is for whoever is signed in now. */
function current(): State {
  if (useState.getState().of !== userId()) useState.setState(read())
  return useState.getState()
}

/** The id of the agent that the next new chat begins with; undefined: the general assistant. */
export const chosenAgentId = (): string | undefined => current().id

export function useChosenAgentId(): string | undefined {
  const user = useUser()
  return useState(({ of, id }) => (of === user?.id ? id : undefined))
}

/** What is shown of it; undefined as long as the device is asked for it. `isGone`: it cannot be chatted with any more. */
export function useChosenAgent(): { agent: ChosenAgent | undefined; isGone: boolean } {
  const id = useChosenAgentId()
  const chosen = useState(({ agent }) => agent)
  const known = useChannelAgent(id)
  return { agent: known.agent ?? (chosen?._id === id ? chosen : undefined), isGone: known.isGone }
}

/** Undefined goes back to the general assistant. */
export function chooseAgent(agent: ChosenAgent | undefined): void {
  useState.setState({ of: userId(), id: agent?._id, agent })
  keepMainChat({ assistant: agent?._id ?? null })
  // Without the device's storage it lasts as long as the page.
  if (agent) void import('./kept-agents').then(({ keepAgent }) => keepAgent(agent)).catch(() => undefined)
}
