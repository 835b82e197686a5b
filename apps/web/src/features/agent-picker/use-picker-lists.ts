import { limits } from '@parley/contract/limits'
import { useEffect, useState } from 'react'
import { useAgentHabits } from '../../data/agents/agent-habits'
import { useAgentList, useAgentSearch } from '../../data/agents/agent-lists'
import type { ChosenAgent } from '../../data/agents/chosen-agent'
import { useKnownAgents } from '../../data/agents/known-agents'
import { useUser } from '../../data/session/stored-session'
import { browsedEntries, foundEntries, type PickerEntry, type PickerTab } from './picker-entries'

/** Shorter than that nothing is looked for. */
const minQueryLength = 2

type PickerLists = {
  /** Undefined while they are loading, and after a failure. */
  entries: readonly PickerEntry[] | undefined
  isSearching: boolean
  hasFailed: boolean
  retry: () => void
  /** Undefined where there is only one page at all. */
  pages: { hasNext: boolean } | undefined
}

/** What the picker shows: a page of a tab, or what a search finds in all of them. */
export function usePickerLists({ query, tab, page }: { query: string; tab: PickerTab; page: number }): PickerLists {
  const wanted = query.trim()
  const isSearching = wanted.length >= minQueryLength
  const browsed = useBrowsed({ tab, page, isEnabled: !isSearching })
  const found = useFound(isSearching ? wanted : '')
  return { isSearching, ...(isSearching ? found : browsed) }
}

function useBrowsed({ tab, page, isEnabled }: { tab: PickerTab; page: number; isEnabled: boolean }) {
  const user = useUser()
  const size = tab === 'product' ? limits.agents.productTabPage : limits.agents.pickerPage
  const { agents, total, isLoading, error, refetch } = useAgentList(tab, { page, size, isEnabled })
  const habits = useAgentHabits()
  const favorites = useKnownAgents(habits.favorites)
  const recent = useKnownAgents(habits.recent)
  const hasNext = (page + 1) * size < total
  return {
    entries: agents && !isLoading ? browsedEntries({ tab, page, agents, favorites, recent, userId: user?.id }) : undefined,
    hasFailed: error !== undefined && !agents,
    retry: refetch,
    pages: page > 0 || hasNext ? { hasNext } : undefined,
  }
}

function useFound(query: string) {
  const term = useDebounced(query)
  const product = useAgentSearch('product', term)
  const community = useAgentSearch('community', term)
  const mine = useAgentSearch('mine', term)
  const user = useUser()
  const lists = [product, community, ...(user ? [mine] : [])]
  const isWhole = term === query && lists.every(({ agents, isLoading }) => agents && !isLoading)
  const none: ChosenAgent[] = []
  return {
    entries: isWhole ? foundEntries({ product: product.agents ?? none, community: community.agents ?? none, mine: mine.agents ?? none }) : undefined,
    hasFailed: term === query && lists.some(({ error, agents }) => error !== undefined && !agents),
    retry: () => {
      for (const { error, refetch } of lists) if (error) refetch()
    },
    pages: undefined,
  }
}

/** Nothing is asked for while somebody types. */
function useDebounced(query: string): string {
  const [term, setTerm] = useState(query)
  useEffect(() => {
    const timer = setTimeout(() => setTerm(query), limits.agents.searchDebounceMs)
    return () => clearTimeout(timer)
  }, [query])
  return term
}
