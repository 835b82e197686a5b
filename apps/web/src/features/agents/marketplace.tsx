import '../../i18n/later-texts'
import { limits } from '@parley/contract/limits/shared'
import { webLimits } from '@parley/contract/limits/web'
import { product } from '@parley/contract/product'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { openAgentEditor } from '../../data/agents/agent-editor-state'
import { openLoginPanel } from '../../data/session/login-panel'
import { useUser } from '../../data/session/stored-session'
import { useTranslation } from '../../i18n/interface-language'
import { Link } from '../../lib/router/link'
import { breakpoints } from '../../ui/breakpoints'
import { Button } from '../../ui/button'
import { EmptyState } from '../../ui/empty-state'
import { Tabs } from '../../ui/tabs'
import { useMediaQuery } from '../../ui/use-media-query'
import { AgentSearch } from './agent-search'
import styles from './marketplace.module.css'
import { PagedAgents } from './paged-agents'
import { SearchField } from './search-field'
import { CreateSuiAgent, SuiAgents } from './sui-list'
import { TopPicks } from './top-picks'
import { type MarketplaceTab, marketplaceTabs, useMarketplaceTab } from './use-marketplace-tab'

/** The marketplace: all agents by likes, by creator, and by search. */
export function Marketplace() {
  const { t } = useTranslation()
  const isSignedIn = useUser() !== undefined
  const [typed, setTyped] = useState('')
  return (
    <div className={styles.scroll}>
      <div className={styles.page}>
        <header className={styles.head}>
          <div>
            <h1>{t('agents.title')}</h1>
            <p>{t('agents.intro', { product: product.name })}</p>
          </div>
          {isSignedIn && <PublishButton />}
        </header>
        <SearchField label={t('agents.search')} typed={typed} onType={setTyped} />
        {typed.trim() === '' ? <MarketplaceTabs /> : <AgentSearch typed={typed} />}
      </div>
    </div>
  )
}

function PublishButton() {
  const { t } = useTranslation()
  const isTiny = useMediaQuery(`(max-width: ${breakpoints.publish}px)`)
  return (
    <Button variant="primary" icon={Plus} onClick={() => openAgentEditor({ kind: 'new' })}>
      {t(isTiny ? 'agents.create' : 'agents.publish')}
    </Button>
  )
}

function MarketplaceTabs() {
  const { t, language } = useTranslation()
  const [tab, select] = useMarketplaceTab()
  const names: Record<MarketplaceTab, string> = {
    top: t('agents.top'),
    [product.slug]: product.name,
    commmunity: t('agents.community'),
    myAssiistants: t('agents.mine'),
    sui: t('agents.sui'),
  }
  return (
    <Tabs
      label={t('agents.tabs')}
      tabs={marketplaceTabs.map((id) => ({ id, label: names[id] }))}
      selected={tab}
      onSelect={select}
    >
      <div className={styles.panel} key={language}>
        {tab === 'top' && <TopPicks onSelect={select} />}
        {tab === product.slug && (
          <PagedAgents
            list="product"
            size={webLimits.agents.productTabPage}
            empty={<p>{t('agents.noneOfProduct')}</p>}
          />
        )}
        {tab === 'commmunity' && (
          <PagedAgents
            list="community"
            size={limits.agents.communityPage}
            empty={<p>{t('agents.noneInCommunity')}</p>}
          />
        )}
        {tab === 'myAssiistants' && <OwnAgents />}
        {tab === 'sui' && <SuiTab />}
      </div>
    </Tabs>
  )
}

function SuiTab() {
  const { t } = useTranslation()
  return (
    <>
      <div className={styles.panelFoot}>
        <Link to="/sui-assistants">{t('suiAgents.seeAll')}</Link>
        <CreateSuiAgent />
      </div>
      <SuiAgents list="all" />
    </>
  )
}

function OwnAgents() {
  const { t } = useTranslation()
  const isSignedIn = useUser() !== undefined
  if (!isSignedIn) {
    return (
      <div className={styles.note}>
        <EmptyState
          title={t('agents.signInForMine')}
          action={<Button onClick={() => openLoginPanel()}>{t('agents.signIn')}</Button>}
        />
      </div>
    )
  }
  const first = (
    <Button variant="primary" icon={Plus} onClick={() => openAgentEditor({ kind: 'new' })}>
      {t('agents.createFirst')}
    </Button>
  )
  return (
    <PagedAgents
      list="mine"
      size={limits.agents.communityPage}
      empty={<EmptyState title={t('agents.noneOfMine')} action={first} />}
      canEdit
    />
  )
}
