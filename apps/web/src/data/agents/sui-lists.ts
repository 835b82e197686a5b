import type { AgentLanguage } from '@parley/contract/agents'
import type { AppError } from '@parley/contract/errors'
import { limits } from '@parley/contract/limits'
import { type SuiAgent, type SuiPage, suiRoutes } from '@parley/contract/sui-agents'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { api } from '../http/api'
import { useUser } from '../session/stored-session'
import { settleLikes, useAgentCaches, withChanges } from './agent-caches'
import { type Asked, agentKeys, likesUnderWay, retry, useAgentChanges, useAgentLanguage } from './agent-queries'

/** all: everybody's; mine: those of the person's own wallet, liked: those that they like, both in whatever language. */
export type SuiList = 'all' | 'mine' | 'liked'

type Asking = { list: SuiList; term: string; page: number; language: AgentLanguage; userId: string | undefined }

const size = limits.agents.sui.page

const pageQuery = (asking: Asking) =>
  queryOptions<Asked<{ page: SuiPage }>, AppError>({
    queryKey: suiKey(asking),
    queryFn: async ({ signal }) => {
      const askedAt = Date.now()
      const answer = await answerOf(asking, signal)
      settleLikes(answer.data, askedAt, likesUnderWay)
      return { page: answer, askedAt }
    },
    staleTime: 0,
    retry,
    placeholderData: (before, query) => (query && isOtherPage(query.queryKey, suiKey(asking)) ? before : undefined),
  })

const suiKey = ({ list, term, page, language, userId = '' }: Asking) => agentKeys.list(`sui-${list}`, language, page, size, `${userId} ${term}`)

const isOtherPage = (one: readonly unknown[], other: readonly unknown[]): boolean => one[2] === other[2] && one.at(-1) === other.at(-1)

function answerOf({ list, term, page, language, userId }: Asking, signal: AbortSignal): Promise<SuiPage> {
  const paged = { page_number: page, page_size: size }
  switch (list) {
    case 'all':
      return api(suiRoutes.list, { query: { ...paged, lang: language, ...(term === '' ? {} : { search_terms: term }) }, signal })
    case 'liked':
      return api(suiRoutes.list, { query: { ...paged, liked: 'true' }, signal })
    case 'mine':
      return api(suiRoutes.ofPerson, { query: { ...paged, user_id: userId ?? '' }, signal })
  }
}

/** One page of the agents of wallets; with a term, of those that it finds. */
export function useSuiAgents(list: SuiList, { page, term = '', isEnabled = true }: { page: number; term?: string; isEnabled?: boolean }) {
  useAgentChanges()
  const userId = useUser()?.id
  const caches = useAgentCaches()
  const enabled = isEnabled && (list === 'all' || userId !== undefined)
  const asking = { list, term, page, language: useAgentLanguage(), userId }
  const { data, error, isFetching, isPlaceholderData, refetch: ask } = useQuery({ ...pageQuery(asking), enabled })
  const agents = useMemo(() => data?.page.data.map((agent) => withChanges(agent, data.askedAt, caches)), [data, caches])
  const refetch = useCallback(() => void ask(), [ask])
  return {
    agents,
    /** Undefined until it is known. */
    total: data?.page.pagination.totalAssistants,
    hasNext: data?.page.pagination.hasNextPage ?? false,
    isLoading: isFetching && (data === undefined || isPlaceholderData),
    error: error ?? undefined,
    refetch,
  }
}

/** One's own agent with its last signed version and what that has digests of. */
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
