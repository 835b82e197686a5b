import { webLimits } from '@parley/contract/limits/web'
import { useEffect, useState } from 'react'
import { useAgentHabits } from '../../data/agents/agent-habits'
import { useAgentList, useAgentSearch } from '../../data/agents/agent-lists'
import type { ChosenAgent } from '../../data/agents/chosen-agent'
import { useKnownAgents } from '../../data/agents/known-agents'
import { useUser } from '../../data/session/stored-session'
import { hitEntries, type PickerEntry, type PickerTab, pageEntries } from './picker-entries'

/** The shortest term that is searched. */
const minQueryLength = 2

type PickerLists = {
  /** Undefined while they are loading, and after a failure. */
  entries: readonly PickerEntry[] | undefined
  isSearching: boolean
  hasFailed: boolean
  retry: () => void
  /** Undefined where there is only one page. */
  pages: { hasNext: boolean } | undefined
}

/** The picker's lists: a page of a tab, or the search hits of all tabs. */
export function usePickerLists({ query, tab, page }: { query: string; tab: PickerTab; page: number }): PickerLists {
  const wanted = query.trim()
  const isSearching = wanted.length >= minQueryLength
  const browsed = useBrowsed({ tab, page, isEnabled: !isSearching })
  const found = useSearchHits(isSearching ? wanted : '')
  return { isSearching, ...(isSearching ? found : browsed) }
}

function useBrowsed({ tab, page, isEnabled }: { tab: PickerTab; page: number; isEnabled: boolean }) {
  const user = useUser()
  const size = tab === 'product' ? webLimits.agents.productTabPage : webLimits.agents.pickerPage
  const { agents, total, isLoading, error, refetch } = useAgentList(tab, { page, size, isEnabled })
  const habits = useAgentHabits()
  const favorites = useKnownAgents(habits.favorites)
  const recent = useKnownAgents(habits.recent)
  const hasNext = (page + 1) * size < total
  return {
    entries: agents && !isLoading ? pageEntries({ tab, page, agents, favorites, recent, userId: user?.id }) : undefined,
    hasFailed: error !== undefined && !agents,
    retry: refetch,
    pages: page > 0 || hasNext ? { hasNext } : undefined,
  }
}

function useSearchHits(query: string) {
  const term = useDebounced(query)
  const product = useAgentSearch('product', term)
  const community = useAgentSearch('community', term)
  const mine = useAgentSearch('mine', term)
  const user = useUser()
  const lists = [product, community, ...(user ? [mine] : [])]
  const isWhole = term === query && lists.every(({ agents, isLoading }) => agents && !isLoading)
  const none: ChosenAgent[] = []
  return {
    entries: isWhole
      ? hitEntries({
          product: product.agents ?? none,
          community: community.agents ?? none,
          mine: mine.agents ?? none,
        })
      : undefined,
    hasFailed: term === query && lists.some(({ error, agents }) => error !== undefined && !agents),
    retry: () => {
      for (const { error, refetch } of lists) if (error) refetch()
    },
    pages: undefined,
  }
}

/** The search waits until the person stops typing. */
function useDebounced(query: string): string {
  const [term, setTerm] = useState(query)
  useEffect(() => {
    const timer = setTimeout(() => setTerm(query), webLimits.agents.searchDebounceMs)
    return () => clearTimeout(timer)
  }, [query])
  return term
}
