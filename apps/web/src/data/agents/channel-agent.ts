import { queryOptions, skipToken, useQuery } from '@tanstack/react-query'
import { useUser } from '../session/stored-session'
import type { KeptAgent } from './kept-agents'

/** An agent as a chat shows it: all that everybody sees of it. */
export type ChannelAgent = KeptAgent

// What reads and writes them comes when the first agent is shown.
const load = () => import('./kept-agents')

const keptQuery = (id: string | undefined, userId: string | undefined) =>
  queryOptions({
    queryKey: ['agents', 'kept', userId ?? null, id],
    queryFn: id === undefined ? skipToken : async () => (await (await load()).keptAgent(id)) ?? null,
    staleTime: Number.POSITIVE_INFINITY,
    // The device is asked, not the network.
    networkMode: 'always',
  })

const askedQuery = (id: string | undefined, userId: string | undefined) =>
  queryOptions({
    queryKey: ['agents', 'asked', userId ?? null, id],
    queryFn: id === undefined ? skipToken : async ({ signal }) => (await (await load()).askForAgent(id, signal)) ?? null,
    // What is kept is shown meanwhile; the next time it is shown, it is asked for again.
    retry: false,
  })

type AgentState = {
  /** As it is now, or was when it was last seen. */
  agent: ChannelAgent | undefined
  /** Nobody chats with it any more in this person's name: it was deleted, made private or switched off. */
  isGone: boolean
}

/** The agent of a channel or of an answer. Readable offline, and after it was deleted. */
export function useChannelAgent(id: string | null | undefined): AgentState {
  const userId = useUser()?.id
  const wanted = id ?? undefined
  const { data: kept } = useQuery(keptQuery(wanted, userId))
  const { data: asked } = useQuery(askedQuery(wanted, userId))
  return stateOf(kept, asked, userId)
}

/** Undefined: not known yet. Null: not there. */
type Found = ChannelAgent | null | undefined

export function stateOf(kept: Found, asked: Found, userId: string | undefined): AgentState {
  const agent = asked ?? kept ?? undefined
  const isOff = agent !== undefined && !agent.enabled && agent.userId !== userId
  return { agent, isGone: asked === null || isOff }
}
