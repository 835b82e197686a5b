import { queryOptions, skipToken, useQuery } from '@tanstack/react-query'
import { useUser } from '../session/stored-session'
import type { StoredAgent } from './stored-agents'

/** An agent as a chat shows it: its public fields. */
export type ChannelAgent = StoredAgent

// The code that reads and writes stored agents is loaded with the first agent that is shown.
const load = () => import('./stored-agents')

const storedQuery = (id: string | undefined, userId: string | undefined) =>
  queryOptions({
    queryKey: ['agents', 'kept', userId ?? null, id],
    queryFn: id === undefined ? skipToken : async () => (await (await load()).readAgent(id)) ?? null,
    staleTime: Number.POSITIVE_INFINITY,
    // It reads the device, which needs no network.
    networkMode: 'always',
  })

const serverQuery = (id: string | undefined, userId: string | undefined) =>
  queryOptions({
    queryKey: ['agents', 'asked', userId ?? null, id],
    queryFn: id === undefined ? skipToken : async ({ signal }) => (await (await load()).fetchAgent(id, signal)) ?? null,
    // The stored agent is shown meanwhile, and the next time it is shown it is fetched again.
    retry: false,
  })

type AgentState = {
  /** As the server has it now, or as it was last fetched. */
  agent: ChannelAgent | undefined
  /** This person cannot chat with it any more: it was deleted, made private or switched off. */
  isGone: boolean
}

/** The agent of a channel or of an answer. Readable offline, and after the agent was deleted. */
export function useChannelAgent(id: string | null | undefined): AgentState {
  const userId = useUser()?.id
  const agentId = id ?? undefined
  const { data: stored } = useQuery(storedQuery(agentId, userId))
  const { data: fetched } = useQuery(serverQuery(agentId, userId))
  return agentState(stored, fetched, userId)
}

/** Undefined: not known yet. Null: it does not exist, or not for this person. */
type AgentLookup = ChannelAgent | null | undefined

export function agentState(stored: AgentLookup, fetched: AgentLookup, userId: string | undefined): AgentState {
  const agent = fetched ?? stored ?? undefined
  const isOff = agent !== undefined && !agent.enabled && agent.userId !== userId
  return { agent, isGone: fetched === null || isOff }
}
