import type { AppError } from '@parley/contract/errors'
import { limits } from '@parley/contract/limits'
import { type SuiAgent, type SuiPage, suiRoutes } from '@parley/contract/sui-agents'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { api } from '../http/api'
import { useUser } from '../session/stored-session'
import { settleLikes, useAgentCaches, withChanges } from './agent-caches'
import { type Asked, agentKeys, likesUnderWay, retry, useAgentChanges, useAgentLanguage } from './agent-queries'

/** all: everybody's; mine: those of the person's own wallet, in whatever language. */
export type SuiList = 'all' | 'mine'

type Asking = { list: SuiList; page: number; language: ReturnType<typeof useAgentLanguage>; userId: string | undefined }

const size = limits.agents.sui.page

const pageQuery = ({ list, page, language, userId }: Asking) =>
  queryOptions<Asked<{ page: SuiPage }>, AppError>({
    queryKey: agentKeys.list(`sui-${list}`, language, page, size, userId ?? ''),
    queryFn: async ({ signal }) => {
      const askedAt = Date.now()
      const paged = { page_number: page, page_size: size }
      const answer =
        list === 'all'
          ? await api(suiRoutes.list, { query: { ...paged, lang: language }, signal })
          : await api(suiRoutes.ofPerson, { query: { ...paged, user_id: userId ?? '' }, signal })
      settleLikes(answer.data, askedAt, likesUnderWay)
      return { page: answer, askedAt }
    },
    staleTime: 0,
    retry,
    placeholderData: (before, query) => (query?.queryKey[2] === `sui-${list}` && query.queryKey.at(-1) === (userId ?? '') ? before : undefined),
  })

/** One page of the agents of wallets. */
export function useSuiAgents(list: SuiList, page: number) {
  useAgentChanges()
  const userId = useUser()?.id
  const caches = useAgentCaches()
  const enabled = list === 'all' || userId !== undefined
  const { data, error, isFetching, isPlaceholderData, refetch: ask } = useQuery({ ...pageQuery({ list, page, language: useAgentLanguage(), userId }), enabled })
  const agents = useMemo(() => data?.page.data.map((agent) => withChanges(agent, data.askedAt, caches)), [data, caches])
  const refetch = useCallback(() => void ask(), [ask])
  return {
    agents,
    total: data?.page.pagination.totalAssistants ?? 0,
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
