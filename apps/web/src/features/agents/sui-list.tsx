import '../../i18n/later-texts'
import { webLimits } from '@parley/contract/limits/web'
import { isSuiPerson } from '@parley/contract/sui-agents'
import { shortAddress } from '@parley/contract/users'
import { Plus } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { type SuiList, useSuiAgents } from '../../data/agents/sui-lists'
import { useUser } from '../../data/session/stored-session'
import { useTranslation } from '../../i18n/interface-language'
import { errorMessage } from '../../lib/error-message'
import { useNavigate } from '../../lib/router/router'
import { useRested } from '../../lib/use-rested'
import { Button } from '../../ui/button'
import { EmptyState } from '../../ui/empty-state'
import { AgentGrid, AgentGridSkeleton } from './agent-grid'
import { Searching } from './agent-search'
import styles from './marketplace.module.css'
import { lastPage, Pager } from './paged-agents'

/** The client's guess: the server goes by the verified wallet. */
export function useHasSuiWallet(): boolean {
  const user = useUser()
  return user !== undefined && isSuiPerson(user)
}

/** A list of agents of wallets with pagination. */
export function SuiAgents({ list }: { list: SuiList }) {
  const [page, setPage] = useState(0)
  return (
    <SuiAgentPage list={list} page={page} onTurn={setPage} empty={list === 'liked' ? <NoneLiked /> : <NoSuiAgents />} />
  )
}

type PageProps = { list: SuiList; term?: string; page: number; onTurn: (page: number) => void; empty: ReactNode }

function SuiAgentPage({ list, term = '', page, onTurn, empty }: PageProps) {
  const { t, language } = useTranslation()
  const { agents, total = 0, hasNext, error, isLoading, refetch } = useSuiAgents(list, { page, term })
  const top = useRef<HTMLDivElement>(null)
  const isPastTheEnd = !isLoading && page > 0 && agents?.length === 0
  useEffect(() => {
    if (isPastTheEnd) onTurn(page - 1)
  }, [isPastTheEnd, page, onTurn])

  if (agents === undefined && error) {
    const message = errorMessage(error, language) ?? error.message
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
  if (agents.length === 0 && page === 0) return empty

  function turnTo(next: number) {
    onTurn(next)
    // The button may become disabled, and would lose the focus.
    top.current?.focus({ preventScroll: true })
    top.current?.scrollIntoView({ block: 'start' })
  }

  return (
    <div ref={top} tabIndex={-1} className={styles.pages} aria-busy={isLoading}>
      {term !== '' && <SuiSearchHits total={total} term={term} />}
      <AgentGrid agents={agents} canEdit />
      {(page > 0 || hasNext) && (
        <Pager page={page} last={lastPage(total, 20)} hasNext={hasNext} isLoading={isLoading} onTurn={turnTo} />
      )}
    </div>
  )
}

/** The hits of the debounced search term. */
export function SuiSearch({ typed }: { typed: string }) {
  const { t } = useTranslation()
  const wanted = typed.trim()
  const term = useRested(wanted, webLimits.agents.searchDebounceMs)
  return term === wanted ? <SuiHits key={term} term={term} /> : <Searching label={t('agents.searching')} />
}

function SuiHits({ term }: { term: string }) {
  const [page, setPage] = useState(0)
  return (
    <SuiAgentPage list="all" term={term} page={page} onTurn={setPage} empty={<SuiSearchHits total={0} term={term} />} />
  )
}

function SuiSearchHits({ total, term }: { total: number; term: string }) {
  const { t } = useTranslation()
  const shown = /^0x[0-9a-f]{64}$/i.test(term) ? shortAddress(term) : term
  return (
    <div role="status">
      <h2 className={styles.found}>
        {total === 0 ? t('agents.noneFound', { term: shown }) : t('agents.found', { count: total, term: shown })}
      </h2>
    </div>
  )
}

function NoneLiked() {
  const { t } = useTranslation()
  return (
    <div className={styles.note}>
      <EmptyState title={t('suiAgents.noneLiked')} />
    </div>
  )
}

function NoSuiAgents() {
  const { t } = useTranslation()
  const canCreate = useHasSuiWallet()
  return (
    <div className={styles.note}>
      <EmptyState
        title={t(canCreate ? 'suiAgents.emptyOwn' : 'suiAgents.empty')}
        action={canCreate && <CreateSuiAgent />}
      />
    </div>
  )
}

/** For people with a Sui wallet; others are told that they need one. */
export function CreateSuiAgent() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const canCreate = useHasSuiWallet()
  if (!canCreate) return <p className={styles.greyed}>{t('suiAgents.connect')}</p>
  return (
    <Button variant="primary" icon={Plus} onClick={() => void navigate('/sui-assistant/create')}>
      {t('suiAgents.create')}
    </Button>
  )
}
