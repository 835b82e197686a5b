import type { SeenAgent } from '@parley/contract/agents'
import { create } from 'zustand'
import { readChatSettings, storeChatSettings } from '../session/chat-settings'
import { storedSession, useUser } from '../session/stored-session'
import { type ChannelAgent, useChannelAgent } from './channel-agent'

/** The agent of the next new chat. */
export type ChosenAgent = ChannelAgent | SeenAgent

type State = {
  /** The person whose choice it is: the next person of this browser must not find it. */
  of: string | undefined
  id: string | undefined
  /** As it was chosen on this page; after a reload it is read from the device. */
  agent: ChosenAgent | undefined
}

const userId = (): string | undefined => storedSession()?.user.id

const useState = create<State>(read)

function read(): State {
  const { assistant } = readChatSettings()
  return { of: userId(), id: typeof assistant === 'string' ? assistant : undefined, agent: undefined }
}

/** The choice of the person who is signed in now. */
function current(): State {
  if (useState.getState().of !== userId()) useState.setState(read())
  return useState.getState()
}

/** The id of the agent of the next new chat; undefined: the general assistant. */
export const chosenAgentId = (): string | undefined => current().id

export function useChosenAgentId(): string | undefined {
  const user = useUser()
  return useState(({ of, id }) => (of === user?.id ? id : undefined))
}

/**
 * The agent for display; undefined while it is read from the device. `isGone`: the person cannot chat with it any more.
 */
export function useChosenAgent(): { agent: ChosenAgent | undefined; isGone: boolean } {
  const id = useChosenAgentId()
  const chosen = useState(({ agent }) => agent)
  const known = useChannelAgent(id)
  return { agent: known.agent ?? (chosen?._id === id ? chosen : undefined), isGone: known.isGone }
}

/** Undefined chooses the general assistant. */
export function chooseAgent(agent: ChosenAgent | undefined): void {
  useState.setState({ of: userId(), id: agent?._id, agent })
  storeChatSettings({ assistant: agent?._id ?? null })
  // Without storage on the device the choice lasts as long as the page.
  if (agent) void import('./stored-agents').then(({ storeAgent }) => storeAgent(agent)).catch(() => undefined)
}
