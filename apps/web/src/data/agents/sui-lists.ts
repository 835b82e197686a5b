import type { AgentLanguage } from '@parley/contract/agents'
import type { AppError } from '@parley/contract/errors'
import { limits } from '@parley/contract/limits/shared'
import { type SuiAgent, type SuiPage, suiRoutes } from '@parley/contract/sui-agents'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { api } from '../api/api'
import { useUser } from '../session/stored-session'
import { applyOverride, reconcileLikes, useAgentCaches } from './agent-caches'
import { agentKeys, likesInFlight, retry, type TimedAnswer, useAgentChanges, useAgentLanguage } from './agent-queries'

/**
 * all: everybody's agents; mine: those of the person's own wallet; liked: those that the person likes. The last two in
 * any language.
 */
export type SuiList = 'all' | 'mine' | 'liked'

type PageRequest = { list: SuiList; term: string; page: number; language: AgentLanguage; userId: string | undefined }

const size = limits.agents.sui.page

const pageQuery = (request: PageRequest) =>
  queryOptions<TimedAnswer<{ page: SuiPage }>, AppError>({
    queryKey: suiKey(request),
    queryFn: async ({ signal }) => {
      const requestedAt = Date.now()
      const answer = await requestPage(request, signal)
      reconcileLikes(answer.data, requestedAt, likesInFlight())
      return { page: answer, requestedAt }
    },
    staleTime: 0,
    retry,
    placeholderData: (before, query) => (query && isOtherPage(query.queryKey, suiKey(request)) ? before : undefined),
  })

const suiKey = ({ list, term, page, language, userId = '' }: PageRequest) =>
  agentKeys.list(`sui-${list}`, language, page, size, `${userId} ${term}`)

const isOtherPage = (one: readonly unknown[], other: readonly unknown[]): boolean =>
  one[2] === other[2] && one.at(-1) === other.at(-1)

function requestPage({ list, term, page, language, userId }: PageRequest, signal: AbortSignal): Promise<SuiPage> {
  const paged = { page_number: page, page_size: size }
  switch (list) {
    case 'all':
      return api(suiRoutes.list, {
        query: { ...paged, lang: language, ...(term === '' ? {} : { search_terms: term }) },
        signal,
      })
    case 'liked':
      return api(suiRoutes.list, { query: { ...paged, liked: 'true' }, signal })
    case 'mine':
      return api(suiRoutes.ofPerson, { query: { ...paged, user_id: userId ?? '' }, signal })
  }
}

/** One page of the agents of wallets; with a term, of the search hits. */
export function useSuiAgents(
  list: SuiList,
  { page, term = '', isEnabled = true }: { page: number; term?: string; isEnabled?: boolean },
) {
  useAgentChanges()
  const userId = useUser()?.id
  const caches = useAgentCaches()
  const enabled = isEnabled && (list === 'all' || userId !== undefined)
  const request = { list, term, page, language: useAgentLanguage(), userId }
  const { data, error, isFetching, isPlaceholderData, refetch: ask } = useQuery({ ...pageQuery(request), enabled })
  const agents = useMemo(
    () => data?.page.data.map((agent) => applyOverride(agent, data.requestedAt, caches)),
    [data, caches],
  )
  const refetch = useCallback(() => void ask(), [ask])
  return {
    agents,
    /** Undefined until it is fetched. */
    total: data?.page.pagination.totalAssistants,
    hasNext: data?.page.pagination.hasNextPage ?? false,
    isLoading: isFetching && (data === undefined || isPlaceholderData),
    error: error ?? undefined,
    refetch,
  }
}

/** The person's own agent with its last signed version and the secrets behind its digests. */
export function useSuiAgent(id: string) {
  useAgentChanges()
  const {
    data,
    error,
    refetch: ask,
  } = useQuery<SuiAgent, AppError>({
    queryKey: ['agents', 'sui', id],
    queryFn: ({ signal }) => api(suiRoutes.get, { params: { id }, signal }),
    staleTime: 0,
    retry,
  })
  const refetch = useCallback(() => void ask(), [ask])
  return { answer: data, error: error ?? undefined, refetch }
}
