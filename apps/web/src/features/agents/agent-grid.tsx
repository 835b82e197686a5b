import '../../i18n/later-texts'
import type { SeenAgent } from '@parley/contract/agents'
import { useTranslation } from '../../i18n/interface-language'
import { Skeleton } from '../../ui/skeleton'
import { AgentCard, type CardLayout } from './agent-card'
import styles from './agent-grid.module.css'

type Props = { agents: readonly SeenAgent[]; layout?: CardLayout; canEdit?: boolean }

export function AgentGrid({ agents, layout = 'horizontal', canEdit = false }: Props) {
  return (
    <ul className={styles.grid} data-layout={layout}>
      {agents.map((agent) => (
        <li key={agent._id}>
          <AgentCard agent={agent} layout={layout} canEdit={canEdit} />
        </li>
      ))}
    </ul>
  )
}

/** Skeleton cards while a list loads: 6 of a section, 20 of a list. */
export function AgentGridSkeleton({
  count,
  layout = 'horizontal',
  label,
}: {
  count: 6 | 20
  layout?: CardLayout
  label?: string
}) {
  const { t } = useTranslation()
  return (
    <div className={styles.grid} data-layout={layout} role="status" aria-label={label ?? t('agents.loading')}>
      {Array.from({ length: count }, (_, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: places, all the same
        <div key={place} className={styles.place} data-agent-skeleton="">
          <Skeleton width={layout === 'vertical' ? '76px' : '52px'} height={layout === 'vertical' ? '76px' : '52px'} />
          <div className={styles.lines}>
            <Skeleton width="60%" height="16px" />
            <Skeleton width="90%" height="13px" />
            <Skeleton width="70%" height="13px" />
          </div>
        </div>
      ))}
    </div>
  )
}
