import type { AgentLanguage, AgentPage, SeenAgent } from '@parley/contract/agents'
import { limits } from '@parley/contract/limits'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { api } from '../http/api'
import { useUser } from '../session/stored-session'
import { agentLists } from './agent-answers'
import { laidOver, settleDeleted, settleLikes, useAgentCaches } from './agent-caches'
import { type AskedPage, agentKeys, likesUnderWay, retry, useAgentChanges, useAgentLanguage } from './agent-queries'

/** trending: the community's by likes. */
export type AgentList = 'community' | 'trending' | 'mine' | 'product'

export type AgentPageState = {
  agents: readonly SeenAgent[] | undefined
  /** In all pages. */
  total: number
  /** Of this very page. */
  isLoading: boolean
  error: Error | undefined
  refetch: () => void
}

type Asking = { list: AgentList; page: number; size: number; term: string; language: AgentLanguage }

/** One page of a list, in the person's language; without those deleted here, with what is newer in this browser laid over. */
export function useAgentList(list: AgentList, { page, size, isEnabled = true }: { page: number; size: number; isEnabled?: boolean }): AgentPageState {
  return useAgentPage({ list, page, size, term: '' }, isEnabled)
}

/** Hits in one list, whatever their language; a blank term asks nothing. */
export function useAgentSearch(
  list: Exclude<AgentList, 'trending'>,
  term: string,
  { size = limits.agents.searchPage, page = 0, isEnabled = true }: { size?: number; page?: number; isEnabled?: boolean } = {},
): AgentPageState {
  const wanted = term.trim().slice(0, limits.agents.maxSearch)
  return useAgentPage({ list, page, size, term: wanted }, isEnabled && wanted !== '')
}

function useAgentPage(asking: Omit<Asking, 'language'>, isEnabled: boolean): AgentPageState {
  useAgentChanges()
  const user = useUser()
  const language = useAgentLanguage()
  const caches = useAgentCaches()
  // One's own need somebody to be theirs.
  const enabled = isEnabled && (asking.list !== 'mine' || user !== undefined)
  const { data, error, isFetching, isPlaceholderData, isPending, refetch: ask } = useQuery({ ...pageQuery({ ...asking, language }), enabled })
  const isFirstOfMine = asking.list === 'mine' && asking.page === 0 && asking.term === ''
  const shown = useMemo(() => data && laidOver(data, caches, { userId: user?.id, isFirstOfMine }), [data, caches, user?.id, isFirstOfMine])
  const refetch = useCallback(() => void ask(), [ask])
  return {
    agents: enabled ? shown?.agents : undefined,
    total: shown?.total ?? 0,
    isLoading: enabled && isFetching && (isPending || isPlaceholderData),
    error: error ?? undefined,
    refetch,
  }
}

/** How long an answer counts (document 2, section 7): the team's agents for as long as the page lasts, what is trending not at all. */
const freshness = {
  product: { staleTime: Number.POSITIVE_INFINITY, gcTime: Number.POSITIVE_INFINITY },
  mine: { staleTime: limits.agents.mineStaleMs, gcTime: limits.agents.mineCacheMs },
  community: { staleTime: 0 },
  trending: { staleTime: 0 },
} as const

const pageQuery = (asking: Asking) =>
  queryOptions({
    queryKey: agentKeys.list(asking.list, asking.language, asking.page, asking.size, asking.term),
    queryFn: ({ signal }) => askPage(asking, signal),
    ...freshness[asking.list],
    refetchOnWindowFocus: true,
    retry,
    // The page before stays until the next one is there; another list, and hits for other words, are something else.
    placeholderData: (before, query) => (isOtherPage(query?.queryKey, asking) ? before : undefined),
  })

const isOtherPage = (key: readonly unknown[] | undefined, { list, language, term }: Asking): boolean =>
  key?.[2] === list && key[3] === language && key.at(-1) === term

async function askPage(asking: Asking, signal: AbortSignal): Promise<AskedPage> {
  const askedAt = Date.now()
  const { assistants, total_count } = await answerOf(asking, String(askedAt), signal)
  settleLikes(assistants, askedAt, likesUnderWay)
  if (asking.list === 'mine' && asking.term === '') settleDeleted(assistants)
  return { agents: assistants, total: total_count, askedAt }
}

function answerOf({ list, page, size, term, language }: Asking, time: string, signal: AbortSignal): Promise<AgentPage> {
  const paged = { page_number: page, page_size: size, ...(term === '' ? {} : { search_terms: term }) }
  // One's own are listed in all languages, and the team's have texts in each.
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
