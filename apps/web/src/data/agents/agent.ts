import type { AgentLanguage } from '@parley/contract/agents'
import { agentRoutes, type SeenAgent } from '@parley/contract/agents'
import type { AppError } from '@parley/contract/errors'
import { limits } from '@parley/contract/limits'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { api } from '../http/api'
import { agentLists } from './agent-answers'
import { laidOver, settleLikes, useAgentCaches, withChanges } from './agent-caches'
import { useAgentList } from './agent-lists'
import { type Asked, type AskedPage, agentKeys, likesUnderWay, retry, useAgentChanges, useAgentLanguage } from './agent-queries'

const agentQuery = (id: string) =>
  queryOptions<Asked<{ agent: SeenAgent }>, AppError>({
    queryKey: agentKeys.one(id),
    queryFn: async ({ signal }) => {
      const askedAt = Date.now()
      const agent = await api(agentRoutes.get, { query: { assistant_id: id }, signal })
      settleLikes([agent], askedAt, likesUnderWay)
      return { agent, askedAt }
    },
    // Its owner may have changed it, or have made it private.
    staleTime: 0,
    refetchOnWindowFocus: true,
    retry,
  })

/** One agent, for its owner with prompt and knowledge. Fails with agent.private and agent.not-found; what is known of it then counts no longer. */
export function useAgent(id: string | undefined): { agent: SeenAgent | undefined; error: AppError | undefined; isLoading: boolean; refetch: () => void } {
  useAgentChanges()
  const caches = useAgentCaches()
  const { data, error, isLoading, refetch: ask } = useQuery({ ...agentQuery(id ?? ''), enabled: id !== undefined })
  const isGone = error !== null && [403, 404, 410].includes(error.status)
  const agent = useMemo(() => (data && !isGone ? withChanges(data.agent, data.askedAt, caches) : undefined), [data, isGone, caches])
  const refetch = useCallback(() => void ask(), [ask])
  return { agent, error: error ?? undefined, isLoading, refetch }
}

const ofCreatorQuery = (userId: string, language: AgentLanguage) =>
  queryOptions({
    queryKey: agentKeys.ofCreator(userId, language),
    queryFn: async ({ signal }): Promise<AskedPage> => {
      const askedAt = Date.now()
      const { assistants, total_count } = await api(agentLists.ofCreator, { query: { user_id: userId, lang: language }, signal })
      settleLikes(assistants, askedAt, likesUnderWay)
      return { agents: assistants, total: total_count, askedAt }
    },
    staleTime: 0,
    retry,
  })

/** What some list has told of an agent: enough to show it while it is asked for, never with prompt or knowledge. */
export function useListedAgent(id: string): SeenAgent | undefined {
  const client = useQueryClient()
  const caches = useAgentCaches()
  return useMemo(() => {
    for (const [, data] of client.getQueriesData<Partial<AskedPage>>({ queryKey: agentKeys.all })) {
      const agent = data?.agents?.find(({ _id }) => _id === id)
      if (agent) return withChanges(agent, data?.askedAt ?? 0, caches)
    }
    return undefined
  }, [client, caches, id])
}

/** Asks for all that is shown anew: one of them turned out to be private, or gone. */
export function useRefreshAgents(): () => void {
  const client = useQueryClient()
  return useCallback(() => void client.invalidateQueries({ queryKey: agentKeys.all }), [client])
}

/** The public agents of one creator; null: the product's; an empty id: nobody's. */
export function useAgentsOfCreator(userId: string | null): { agents: readonly SeenAgent[] | undefined; total: number } {
  const language = useAgentLanguage()
  const caches = useAgentCaches()
  const team = useAgentList('product', { page: 0, size: limits.agents.productTabPage, isEnabled: userId === null })
  const { data } = useQuery({ ...ofCreatorQuery(userId ?? '', language), enabled: userId !== null && userId !== '' })
  const shown = useMemo(() => data && laidOver(data, caches, { userId: undefined, isFirstOfMine: false }), [data, caches])
  return userId === null ? { agents: team.agents, total: team.total } : { agents: shown?.agents, total: shown?.total ?? 0 }
}
