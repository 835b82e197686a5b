import '../../i18n/later-texts'
import { product } from '@parley/contract/product'
import { shortAddress } from '@parley/contract/users'
import { Droplet } from 'lucide-react'
import { Suspense, useState } from 'react'
import { type SuiList, useSuiAgents } from '../../data/agents/sui-lists'
import { useUser } from '../../data/session/stored-session'
import { useTranslation } from '../../i18n/interface-language'
import { walletAddress } from '../../lib/shown-person'
import { lazyPart } from '../../ui/lazy-part'
import { Tabs } from '../../ui/tabs'
import styles from './marketplace.module.css'
import { SearchField } from './search-field'
import { CreateSuiAgent, SuiAgents, SuiSearch, useHasSuiWallet } from './sui-list'
import sui from './sui-page.module.css'

const ImportManifest = lazyPart(() => import('./sui-import'))

/** The page of all agents of wallets. */
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
        <Suspense>{hasWallet && <ImportManifest />}</Suspense>
      </div>
    </div>
  )
}

function SuiSearchField({ typed, onType }: { typed: string; onType: (typed: string) => void }) {
  const { t, language } = useTranslation()
  const { total } = useSuiAgents('all', { page: 0 })
  const label = t('suiAgents.search')
  const formatted = new Intl.NumberFormat(language).format(total ?? 0)
  return (
    <SearchField
      label={label}
      placeholder={total ? t('suiAgents.searchOf', { count: total, formatted }) : label}
      typed={typed}
      onType={onType}
    />
  )
}

/** The tab of own agents needs a wallet, the tab of liked ones an account. */
function SuiTabs() {
  const { t, language } = useTranslation()
  const isSignedIn = useUser() !== undefined
  const hasWallet = useHasSuiWallet()
  const [list, setList] = useState<SuiList>('all')
  const { total } = useSuiAgents('mine', { page: 0, isEnabled: hasWallet })
  const count = total === undefined ? undefined : new Intl.NumberFormat(language).format(total)
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
