import '../../i18n/later-texts'
import { webLimits } from '@parley/contract/limits/web'
import { useState } from 'react'
import { useAgentSearch } from '../../data/agents/agent-lists'
import { useTranslation } from '../../i18n/interface-language'
import { useRested } from '../../lib/use-rested'
import { AgentGrid, AgentGridSkeleton } from './agent-grid'
import { ListProblem, useErrorToast } from './list-problem'
import styles from './marketplace.module.css'
import { lastPage, Pager } from './paged-agents'

const size = webLimits.agents.searchPage

/** The hits of the debounced search term. */
export function AgentSearch({ typed }: { typed: string }) {
  const { t } = useTranslation()
  const wanted = typed.trim()
  const term = useRested(wanted, webLimits.agents.searchDebounceMs)
  const isWaiting = term !== wanted
  return isWaiting ? <Searching label={t('agents.searching')} /> : <Hits key={term} term={term} />
}

function Hits({ term }: { term: string }) {
  const { t } = useTranslation()
  const [page, setPage] = useState(0)
  const hits = useHits(term, page)
  useErrorToast(hits.error)

  if (hits.error) return <ListProblem onRetry={hits.refetch} isBusy={hits.isLoading} />
  if (hits.agents === undefined) return <Searching label={t('agents.searching')} />
  return (
    <div className={styles.pages} aria-busy={hits.isLoading}>
      <div role="status">
        <h2 className={styles.found}>
          {hits.total === 0 ? t('agents.noneFound', { term }) : t('agents.found', { count: hits.total, term })}
        </h2>
      </div>
      <AgentGrid agents={hits.agents} canEdit />
      {(page > 0 || hits.last > 0) && (
        <Pager page={page} last={hits.last} hasNext={page < hits.last} isLoading={hits.isLoading} onTurn={setPage} />
      )}
    </div>
  )
}

export function Searching({ label }: { label: string }) {
  return (
    <div className={styles.pages}>
      <p className={styles.found} aria-hidden="true">
        {label}
      </p>
      <AgentGridSkeleton count={6} label={label} />
    </div>
  )
}

/**
 * The hits of all lists. The person's own public agents are among the community's, so that only their private ones
 * count as their own.
 */
function useHits(term: string, page: number) {
  const mine = useAgentSearch('mine', term, { size, page })
  const product = useAgentSearch('product', term, { size, page })
  const community = useAgentSearch('community', term, { size, page })
  const lists = [mine, product, community]
  const hidden = mine.agents?.filter((agent) => agent.private || !agent.enabled) ?? []
  const isComplete =
    product.agents !== undefined && community.agents !== undefined && (mine.agents !== undefined || !mine.isLoading)
  return {
    agents: isComplete ? [...hidden, ...(product.agents ?? []), ...(community.agents ?? [])] : undefined,
    total: hidden.length + product.total + community.total,
    last: Math.max(...lists.map(({ total }) => lastPage(total, size))),
    isLoading: lists.some(({ isLoading }) => isLoading),
    error: lists.find(({ error }) => error)?.error,
    refetch: () => {
      for (const { error, refetch } of lists) if (error) refetch()
    },
  }
}
