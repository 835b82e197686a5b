import { useQuery } from '@tanstack/react-query'
import { useUser } from '../session/stored-session'
import { type ChannelAgent, stateOf } from './channel-agent'

const load = () => import('./kept-agents')

/** Those of these agents that this device knows and that can be chatted with, in the same order. */
export function useKnownAgents(ids: readonly string[]): ChannelAgent[] {
  const userId = useUser()?.id
  // One call for all of them: useQueries would be in the first load.
  const { data: kept } = useQuery({
    queryKey: ['agents', 'known', userId ?? null, ids],
    queryFn: async () => {
      const { keptAgent } = await load()
      return Promise.all(ids.map(async (id) => (await keptAgent(id)) ?? null))
    },
    networkMode: 'always',
  })
  const { data: asked } = useQuery({
    queryKey: ['agents', 'known-now', userId ?? null, ids],
    queryFn: async ({ signal }) => {
      const { askForAgent } = await load()
      // Of what cannot be asked for, what is kept counts.
      return Promise.all(
        ids.map((id) =>
          askForAgent(id, signal).then(
            (agent) => agent ?? null,
            () => undefined,
          ),
        ),
      )
    },
    retry: false,
  })
  return ids.flatMap((_, index) => {
    const { agent, isGone } = stateOf(kept?.[index], asked?.[index], userId)
    return agent && !isGone ? [agent] : []
  })
}
