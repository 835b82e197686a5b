import type { AgentLanguage } from '@parley/contract/agents'
import { agentRoutes, type SeenAgent } from '@parley/contract/agents'
import type { AppError } from '@parley/contract/errors'
import { webLimits } from '@parley/contract/limits/web'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { api } from '../api/api'
import { agentLists } from './agent-answers'
import { applyOverride, overlayCaches, reconcileLikes, useAgentCaches } from './agent-caches'
import { useAgentList } from './agent-lists'
import {
  agentKeys,
  likesInFlight,
  retry,
  type TimedAnswer,
  type TimedPage,
  useAgentChanges,
  useAgentLanguage,
} from './agent-queries'

const agentQuery = (id: string) =>
  queryOptions<TimedAnswer<{ agent: SeenAgent }>, AppError>({
    queryKey: agentKeys.one(id),
    queryFn: async ({ signal }) => {
      const requestedAt = Date.now()
      const agent = await api(agentRoutes.get, { query: { assistant_id: id }, signal })
      reconcileLikes([agent], requestedAt, likesInFlight())
      return { agent, requestedAt }
    },
    // Its owner may have changed it, or made it private.
    staleTime: 0,
    refetchOnWindowFocus: true,
    retry,
  })

/**
 * One agent, for its owner with prompt and knowledge. Fails with agent.private and agent.not-found; the cached agent is
 * then no longer shown.
 */
export function useAgent(id: string | undefined): {
  agent: SeenAgent | undefined
  error: AppError | undefined
  isLoading: boolean
  refetch: () => void
} {
  useAgentChanges()
  const caches = useAgentCaches()
  const { data, error, isLoading, refetch: ask } = useQuery({ ...agentQuery(id ?? ''), enabled: id !== undefined })
  const isGone = error !== null && [403, 404, 410].includes(error.status)
  const agent = useMemo(
    () => (data && !isGone ? applyOverride(data.agent, data.requestedAt, caches) : undefined),
    [data, isGone, caches],
  )
  const refetch = useCallback(() => void ask(), [ask])
  return { agent, error: error ?? undefined, isLoading, refetch }
}

const ofCreatorQuery = (userId: string, language: AgentLanguage) =>
  queryOptions({
    queryKey: agentKeys.ofCreator(userId, language),
    queryFn: async ({ signal }): Promise<TimedPage> => {
      const requestedAt = Date.now()
      const { assistants, total_count } = await api(agentLists.ofCreator, {
        query: { user_id: userId, lang: language },
        signal,
      })
      reconcileLikes(assistants, requestedAt, likesInFlight())
      return { agents: assistants, total: total_count, requestedAt }
    },
    staleTime: 0,
    retry,
  })

/**
 * The agent as some fetched list has it: enough to show it while it is fetched itself, never with prompt or knowledge.
 */
export function useListedAgent(id: string): SeenAgent | undefined {
  const client = useQueryClient()
  const caches = useAgentCaches()
  return useMemo(() => {
    for (const [, data] of client.getQueriesData<Partial<TimedPage>>({ queryKey: agentKeys.all })) {
      const agent = data?.agents?.find(({ _id }) => _id === id)
      if (agent) return applyOverride(agent, data?.requestedAt ?? 0, caches)
    }
    return undefined
  }, [client, caches, id])
}

/** Refetches everything that is shown, after one agent turned out to be private or deleted. */
export function useRefreshAgents(): () => void {
  const client = useQueryClient()
  return useCallback(() => void client.invalidateQueries({ queryKey: agentKeys.all }), [client])
}

/** The public agents of one creator; null: the product's team; an empty id: nobody's. */
export function useAgentsOfCreator(userId: string | null): { agents: readonly SeenAgent[] | undefined; total: number } {
  const language = useAgentLanguage()
  const caches = useAgentCaches()
  const team = useAgentList('product', { page: 0, size: webLimits.agents.productTabPage, isEnabled: userId === null })
  const { data } = useQuery({ ...ofCreatorQuery(userId ?? '', language), enabled: userId !== null && userId !== '' })
  const shown = useMemo(
    () => data && overlayCaches(data, caches, { userId: undefined, isFirstOfMine: false }),
    [data, caches],
  )
  return userId === null
    ? { agents: team.agents, total: team.total }
    : { agents: shown?.agents, total: shown?.total ?? 0 }
}
