import '../../i18n/later-texts'
import { isSuiPerson } from '@parley/contract/sui-agents'
import { useNavigate } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type SuiList, useSuiAgents } from '../../data/agents/sui-lists'
import { useUser } from '../../data/session/stored-session'
import { errorMessage } from '../../lib/error-message'
import { Button } from '../../ui/button'
import { EmptyState } from '../../ui/empty-state'
import { AgentGrid, AgentGridSkeleton } from './agent-grid'
import styles from './marketplace.module.css'
import { lastPage, Pager } from './paged-agents'

/** As far as a client can tell: the server goes by the verified wallet. */
export function useHasSuiWallet(): boolean {
  const user = useUser()
  return user !== undefined && isSuiPerson(user)
}

/** Agents of wallets, one page at a time. */
export function SuiAgents({ list }: { list: SuiList }) {
  const { t, i18n } = useTranslation()
  const [page, setPage] = useState(0)
  const { agents, total, hasNext, error, isLoading, refetch } = useSuiAgents(list, page)
  const top = useRef<HTMLDivElement>(null)
  const isPastTheEnd = !isLoading && page > 0 && agents?.length === 0
  useEffect(() => {
    if (isPastTheEnd) setPage(page - 1)
  }, [isPastTheEnd, page])

  if (agents === undefined && error) {
    const message = errorMessage(error, i18n.language) ?? error.message
    const retry = (
      <Button size="small" busy={isLoading} onClick={refetch}>
        {t('suiAgents.retry')}
      </Button>
    )
    return (
      <div className={styles.note} role="alert">
        <EmptyState title={t('suiAgents.loadFailed', { message })} action={retry} />
      </div>
    )
  }
  if (agents === undefined) return <AgentGridSkeleton count={20} />
  if (agents.length === 0 && page === 0) return <NoSuiAgents />

  function turnTo(next: number) {
    setPage(next)
    // The button may be disabled in a moment, and would drop the focus.
    top.current?.focus({ preventScroll: true })
    top.current?.scrollIntoView({ block: 'start' })
  }

  return (
    <div ref={top} tabIndex={-1} className={styles.pages} aria-busy={isLoading}>
      <AgentGrid agents={agents} canEdit />
      {(page > 0 || hasNext) && <Pager page={page} last={lastPage(total, 20)} hasNext={hasNext} isLoading={isLoading} onTurn={turnTo} />}
    </div>
  )
}

function NoSuiAgents() {
  const { t } = useTranslation()
  const canCreate = useHasSuiWallet()
  return (
    <div className={styles.note}>
      <EmptyState title={t(canCreate ? 'suiAgents.emptyOwn' : 'suiAgents.empty')} action={canCreate && <CreateSuiAgent />} />
    </div>
  )
}

/** For whoever has a Sui wallet; the others are told what it takes. */
export function CreateSuiAgent() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const canCreate = useHasSuiWallet()
  if (!canCreate) return <p className={styles.greyed}>{t('suiAgents.connect')}</p>
  return (
    <Button variant="primary" icon={Plus} onClick={() => void navigate({ to: '/sui-assistant/create' })}>
      {t('suiAgents.create')}
    </Button>
  )
}
