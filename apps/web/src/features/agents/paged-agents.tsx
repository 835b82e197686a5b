import '../../i18n/later-texts'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { type AgentList, useAgentList } from '../../data/agents/agent-lists'
import { useTranslation } from '../../i18n/interface-language'
import { Button } from '../../ui/button'
import { AgentGrid, AgentGridSkeleton } from './agent-grid'
import { ListProblem, useErrorToast } from './list-problem'
import styles from './marketplace.module.css'

type Props = { list: AgentList; size: number; empty: ReactNode; canEdit?: boolean }

/** A list of agents with pagination. */
export function PagedAgents({ list, size, empty, canEdit = false }: Props) {
  const [page, setPage] = useState(0)
  const { agents, total, error, isLoading, refetch } = useAgentList(list, { page, size })
  const top = useRef<HTMLDivElement>(null)
  useErrorToast(error)
  useExistingPage({ page, last: lastPage(total, size), isEmpty: !isLoading && !error && agents?.length === 0, setPage })

  if (agents === undefined)
    return error ? <ListProblem onRetry={refetch} isBusy={isLoading} /> : <AgentGridSkeleton count={20} />
  if (agents.length === 0 && page === 0) return <div className={styles.note}>{empty}</div>

  function turnTo(next: number) {
    setPage(next)
    // The button may become disabled, and would lose the focus.
    top.current?.focus({ preventScroll: true })
    top.current?.scrollIntoView({ block: 'start' })
  }

  return (
    <div ref={top} tabIndex={-1} className={styles.pages} aria-busy={isLoading}>
      <AgentGrid agents={agents} canEdit={canEdit} />
      {(page > 0 || total > size) && (
        <Pager
          page={page}
          last={lastPage(total, size)}
          hasNext={agents.length >= size && (page + 1) * size < total}
          isLoading={isLoading}
          onTurn={turnTo}
        />
      )}
    </div>
  )
}

export const lastPage = (total: number, size: number): number => Math.max(0, Math.ceil(total / size) - 1)

/** The last page may have become empty: then the one before it is shown. */
function useExistingPage({
  page,
  last,
  isEmpty,
  setPage,
}: {
  page: number
  last: number
  isEmpty: boolean
  setPage: (page: number) => void
}): void {
  useEffect(() => {
    if (isEmpty && page > 0) setPage(Math.min(last, page - 1))
  }, [isEmpty, page, last, setPage])
}

type PagerProps = { page: number; last: number; hasNext: boolean; isLoading: boolean; onTurn: (page: number) => void }

/** Pages are numbered from 0 in code and from 1 on the screen. */
export function Pager({ page, last, hasNext, isLoading, onTurn }: PagerProps) {
  const { t } = useTranslation()
  return (
    <nav className={styles.pager} aria-label={t('agents.pages')}>
      <Button icon={ChevronLeft} disabled={page === 0 || isLoading} onClick={() => onTurn(page - 1)}>
        {t('agents.previous')}
      </Button>
      <span role="status">{t('agents.page', { page: page + 1, pages: Math.max(last, page) + 1 })}</span>
      <Button
        className={styles.next}
        icon={ChevronRight}
        disabled={!hasNext || isLoading}
        onClick={() => onTurn(page + 1)}
      >
        {t('agents.next')}
      </Button>
    </nav>
  )
}
