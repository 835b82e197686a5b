import '../../i18n/later-texts'
import { product } from '@parley/contract/product'
import { shortAddress } from '@parley/contract/users'
import { Droplet } from 'lucide-react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type SuiList, useSuiAgents } from '../../data/agents/sui-lists'
import { useUser } from '../../data/session/stored-session'
import { errorMessage } from '../../lib/error-message'
import { walletAddress } from '../../lib/shown-person'
import { Button } from '../../ui/button'
import { Tabs } from '../../ui/tabs'
import { toast } from '../../ui/toast'
import styles from './marketplace.module.css'
import { SearchField } from './search-field'
import { CreateSuiAgent, SuiAgents, SuiSearch, useHasSuiWallet } from './sui-list'
import sui from './sui-page.module.css'

/** All agents that wallets have signed. */
export function SuiPage() {
  const { t } = useTranslation()
  const hasWallet = useHasSuiWallet()
  const [typed, setTyped] = useState('')
  return (
    <div className={styles.scroll}>
      <div className={styles.page}>
        <header className={styles.head}>
          <div>
            <h1>{t('suiAgents.title')}</h1>
            <p>{t('suiAgents.intro', { product: product.name })}</p>
          </div>
          <div className={sui.tools}>
            <Wallet />
            <CreateSuiAgent />
          </div>
        </header>
        <SuiSearchField typed={typed} onType={setTyped} />
        {typed.trim() === '' ? <SuiTabs /> : <SuiSearch typed={typed} />}
        {hasWallet && <ImportManifest />}
      </div>
    </div>
  )
}

function SuiSearchField({ typed, onType }: { typed: string; onType: (typed: string) => void }) {
  const { t, i18n } = useTranslation()
  const { total } = useSuiAgents('all', { page: 0 })
  const label = t('suiAgents.search')
  const formatted = new Intl.NumberFormat(i18n.language).format(total ?? 0)
  return <SearchField label={label} placeholder={total ? t('suiAgents.searchOf', { count: total, formatted }) : label} typed={typed} onType={onType} />
}

/** One's own are there for whoever has a wallet, what one likes for whoever is signed in. */
function SuiTabs() {
  const { t, i18n } = useTranslation()
  const isSignedIn = useUser() !== undefined
  const hasWallet = useHasSuiWallet()
  const [list, setList] = useState<SuiList>('all')
  const { total } = useSuiAgents('mine', { page: 0, isEnabled: hasWallet })
  const count = total === undefined ? undefined : new Intl.NumberFormat(i18n.language).format(total)
  if (!isSignedIn) return <SuiAgents list="all" />
  const tabs: { id: SuiList; label: string; count?: string | undefined }[] = [
    { id: 'all', label: t('suiAgents.all') },
    ...(hasWallet ? [{ id: 'mine' as const, label: t('suiAgents.mine'), count }] : []),
    { id: 'liked', label: t('suiAgents.liked') },
  ]
  const selected = tabs.some(({ id }) => id === list) ? list : 'all'
  return (
    <Tabs label={t('suiAgents.tabs')} tabs={tabs} selected={selected} onSelect={setList}>
      <div className={styles.panel} key={selected}>
        <SuiAgents list={selected} />
      </div>
    </Tabs>
  )
}

function Wallet() {
  const { t } = useTranslation()
  const hasWallet = useHasSuiWallet()
  const user = useUser()
  const address = user && hasWallet ? walletAddress(user) : undefined
  if (address === undefined) return null
  return (
    <span className={sui.wallet} role="img" aria-label={t('suiAgents.wallet', { address })} title={address}>
      <Droplet aria-hidden="true" />
      <span aria-hidden="true">{shortAddress(address)}</span>
    </span>
  )
}

function ImportManifest() {
  const { t, i18n } = useTranslation()
  const input = useRef<HTMLInputElement>(null)
  const [isBusy, setIsBusy] = useState(false)
  const [problem, setProblem] = useState<string>()

  async function bring(file: File) {
    setIsBusy(true)
    setProblem(undefined)
    try {
      const { importSuiAgent } = await import('../../data/agents/sui-signing')
      const { agent } = await importSuiAgent(file)
      toast.success(t('suiAgents.imported', { name: agent.name }))
    } catch (error) {
      setProblem(errorMessage(error, i18n.language) ?? t('suiAgents.importFailed'))
    } finally {
      setIsBusy(false)
    }
  }

  return (
    <div className={sui.import}>
      <p>
        <Button size="small" busy={isBusy} onClick={() => input.current?.click()}>
          {t('suiAgents.import')}
        </Button>
        <span>{t('suiAgents.importWhy', { product: product.name })}</span>
      </p>
      <input
        ref={input}
        type="file"
        accept=".json,application/json"
        hidden
        aria-label={t('suiAgents.import')}
        onChange={(event) => {
          const file = event.target.files?.[0]
          event.target.value = ''
          if (file) void bring(file)
        }}
      />
      {problem !== undefined && (
        <p role="alert" className={sui.problem}>
          {problem}
        </p>
      )}
    </div>
  )
}
