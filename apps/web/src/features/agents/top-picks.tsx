import '../../i18n/later-texts'
import { webLimits } from '@parley/contract/limits/web'
import { product } from '@parley/contract/product'
import type { ReactNode } from 'react'
import { type AgentList, useAgentList } from '../../data/agents/agent-lists'
import { useTranslation } from '../../i18n/interface-language'
import { Button } from '../../ui/button'
import type { CardLayout } from './agent-card'
import { AgentGrid, AgentGridSkeleton } from './agent-grid'
import { ListProblem, useErrorToast } from './list-problem'
import styles from './marketplace.module.css'
import type { MarketplaceTab } from './use-marketplace-tab'

const { topPicks, productTabPage } = webLimits.agents

/** The first agents by likes, and the first of the team's. */
export function TopPicks({ onSelect }: { onSelect: (tab: MarketplaceTab) => void }) {
  const { t } = useTranslation()
  return (
    <>
      <Section
        title={t('agents.trending')}
        list="trending"
        size={topPicks}
        layout="horizontal"
        empty={t('agents.noneInCommunity')}
        onAll={() => onSelect('commmunity')}
      />
      <Section
        title={t('agents.madeBy', { product: product.name })}
        list="product"
        // The whole list, which the team's tab also shows.
        size={productTabPage}
        layout="vertical"
        empty={t('agents.noneOfProduct')}
        onAll={() => onSelect(product.slug)}
      />
    </>
  )
}

type SectionProps = {
  title: string
  list: AgentList
  size: number
  layout: CardLayout
  empty: ReactNode
  onAll: () => void
}

function Section({ title, list, size, layout, empty, onAll }: SectionProps) {
  const { t } = useTranslation()
  const { agents, error, isLoading, refetch } = useAgentList(list, { page: 0, size })
  useErrorToast(error)
  const shown = agents?.slice(0, topPicks)
  return (
    <section className={styles.section} aria-label={title}>
      <div className={styles.sectionHead}>
        <h2>{title}</h2>
        <Button size="small" variant="quiet" aria-label={t('agents.seeAllOf', { list: title })} onClick={onAll}>
          {t('agents.seeAll')}
        </Button>
      </div>
      {shown === undefined && error && <ListProblem onRetry={refetch} isBusy={isLoading} />}
      {shown === undefined && !error && <AgentGridSkeleton count={6} layout={layout} />}
      {shown?.length === 0 && <p className={styles.note}>{empty}</p>}
      {shown && shown.length > 0 && <AgentGrid agents={shown} layout={layout} />}
    </section>
  )
}
