import type { AgentLanguage, AgentPage, SeenAgent } from '@parley/contract/agents'
import { limits } from '@parley/contract/limits/shared'
import { webLimits } from '@parley/contract/limits/web'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { api } from '../api/api'
import { useUser } from '../session/stored-session'
import { agentLists } from './agent-answers'
import { overlayCaches, pruneDeleted, reconcileLikes, useAgentCaches } from './agent-caches'
import { agentKeys, likesInFlight, retry, type TimedPage, useAgentChanges, useAgentLanguage } from './agent-queries'

/** trending: the community's agents by likes. */
export type AgentList = 'community' | 'trending' | 'mine' | 'product'

export type AgentPageState = {
  agents: readonly SeenAgent[] | undefined
  /** Over all pages. */
  total: number
  /** Whether this page itself is being fetched; a placeholder may be shown meanwhile. */
  isLoading: boolean
  error: Error | undefined
  refetch: () => void
}

type PageRequest = { list: AgentList; page: number; size: number; term: string; language: AgentLanguage }

/** One page of a list in the person's language, with the browser's newer changes on top. */
export function useAgentList(
  list: AgentList,
  { page, size, isEnabled = true }: { page: number; size: number; isEnabled?: boolean },
): AgentPageState {
  return useAgentPage({ list, page, size, term: '' }, isEnabled)
}

/** Hits in one list, in any language; a blank term sends no request. */
export function useAgentSearch(
  list: Exclude<AgentList, 'trending'>,
  term: string,
  {
    size = webLimits.agents.searchPage,
    page = 0,
    isEnabled = true,
  }: { size?: number; page?: number; isEnabled?: boolean } = {},
): AgentPageState {
  const searchTerm = term.trim().slice(0, limits.agents.maxSearch)
  return useAgentPage({ list, page, size, term: searchTerm }, isEnabled && searchTerm !== '')
}

function useAgentPage(request: Omit<PageRequest, 'language'>, isEnabled: boolean): AgentPageState {
  useAgentChanges()
  const user = useUser()
  const language = useAgentLanguage()
  const caches = useAgentCaches()
  // The list of the person's own agents needs a signed-in person.
  const enabled = isEnabled && (request.list !== 'mine' || user !== undefined)
  const {
    data,
    error,
    isFetching,
    isPlaceholderData,
    isPending,
    refetch: ask,
  } = useQuery({ ...pageQuery({ ...request, language }), enabled })
  const isFirstOfMine = request.list === 'mine' && request.page === 0 && request.term === ''
  const shown = useMemo(
    () => data && overlayCaches(data, caches, { userId: user?.id, isFirstOfMine }),
    [data, caches, user?.id, isFirstOfMine],
  )
  const refetch = useCallback(() => void ask(), [ask])
  return {
    agents: enabled ? shown?.agents : undefined,
    total: shown?.total ?? 0,
    isLoading: enabled && isFetching && (isPending || isPlaceholderData),
    error: error ?? undefined,
    refetch,
  }
}

/**
 * How long an answer stays fresh (document 2, section 7): the team's agents for the life of the page, trending ones not
 * at all.
 */
const freshness = {
  product: { staleTime: Number.POSITIVE_INFINITY, gcTime: Number.POSITIVE_INFINITY },
  mine: { staleTime: webLimits.agents.mineStaleMs, gcTime: webLimits.agents.mineCacheMs },
  community: { staleTime: 0 },
  trending: { staleTime: 0 },
} as const

const pageQuery = (request: PageRequest) =>
  queryOptions({
    queryKey: agentKeys.list(request.list, request.language, request.page, request.size, request.term),
    queryFn: ({ signal }) => fetchPage(request, signal),
    ...freshness[request.list],
    refetchOnWindowFocus: true,
    retry,
    // The previous page stays until the next one is fetched; another list or other search words start empty.
    placeholderData: (before, query) => (isOtherPage(query?.queryKey, request) ? before : undefined),
  })

const isOtherPage = (key: readonly unknown[] | undefined, { list, language, term }: PageRequest): boolean =>
  key?.[2] === list && key[3] === language && key.at(-1) === term

async function fetchPage(request: PageRequest, signal: AbortSignal): Promise<TimedPage> {
  const requestedAt = Date.now()
  const { assistants, total_count } = await requestPage(request, String(requestedAt), signal)
  reconcileLikes(assistants, requestedAt, likesInFlight())
  if (request.list === 'mine' && request.term === '') pruneDeleted(assistants)
  return { agents: assistants, total: total_count, requestedAt }
}

function requestPage(
  { list, page, size, term, language }: PageRequest,
  time: string,
  signal: AbortSignal,
): Promise<AgentPage> {
  const paged = { page_number: page, page_size: size, ...(term === '' ? {} : { search_terms: term }) }
  // The person's own agents are listed in all languages, and the team's agents have texts in each.
  const lang = { lang: language }
  switch (list) {
    case 'community':
      return api(agentLists.community, { query: { ...paged, ...lang, _t: time }, signal })
    case 'trending':
      return api(agentLists.community, { query: { ...paged, ...lang, sort: 'likes', _t: time }, signal })
    case 'mine':
      return api(agentLists.mine, { query: { ...paged, ...lang, _t: time }, signal })
    case 'product':
      return api(agentLists.product, { query: { ...paged, ...lang }, signal })
  }
}
