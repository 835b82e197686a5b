import { useQuery } from '@tanstack/react-query'
import { useUser } from '../session/stored-session'
import { agentState, type ChannelAgent } from './channel-agent'

const load = () => import('./stored-agents')

/** Those of these agents that this device has stored and the person can chat with, in the same order. */
export function useKnownAgents(ids: readonly string[]): ChannelAgent[] {
  const userId = useUser()?.id
  // One query for all of them: useQueries would grow the first load.
  const { data: stored } = useQuery({
    queryKey: ['agents', 'known', userId ?? null, ids],
    queryFn: async () => {
      const { readAgent } = await load()
      return Promise.all(ids.map(async (id) => (await readAgent(id)) ?? null))
    },
    networkMode: 'always',
  })
  const { data: fetched } = useQuery({
    queryKey: ['agents', 'known-now', userId ?? null, ids],
    queryFn: async ({ signal }) => {
      const { fetchAgent } = await load()
      // Where an agent cannot be fetched, the stored one is used.
      return Promise.all(
        ids.map((id) =>
          fetchAgent(id, signal).then(
            (agent) => agent ?? null,
            () => undefined,
          ),
        ),
      )
    },
    retry: false,
  })
  return ids.flatMap((_, index) => {
    const { agent, isGone } = agentState(stored?.[index], fetched?.[index], userId)
    return agent && !isGone ? [agent] : []
  })
}
