import '../../i18n/later-texts'
import type { DaySpending } from '@parley/contract/credits'
import { useId, useState } from 'react'
import { useSpending } from '../../data/credits/spending'
import { useTranslation } from '../../i18n/interface-language'
import { Card } from '../../ui/card'
import { LoadFailure } from '../../ui/load-failure'
import { Segmented } from '../../ui/segmented'
import { Skeleton } from '../../ui/skeleton'
import { DayBars } from './day-bars'
import { ModelBars } from './model-bars'
import styles from './spending.module.css'
import { spentByDay, spentByModel } from './spending-sums'

const views = ['byDay', 'byModel'] as const
type View = (typeof views)[number]

/** The cost of answers in the last days. */
export function SpendingSection() {
  const { t } = useTranslation()
  const id = useId()
  const [view, setView] = useState<View>('byDay')
  const { data: spending, error, isFetching, refetch } = useSpending()
  return (
    <Card role="group" aria-labelledby={id} className={styles.card}>
      <div className={styles.head}>
        <h2 id={id}>{t('billing.spending')}</h2>
        <Segmented
          label={t('billing.view')}
          value={view}
          options={views.map((value) => ({ value, label: t(`billing.${value}`) }))}
          onChange={setView}
        />
      </div>
      {spending ? (
        <Spending spending={spending} view={view} />
      ) : error ? (
        <LoadFailure
          text={t('billing.spendingFailed')}
          retryLabel={t('billing.retry')}
          isBusy={isFetching}
          onRetry={() => void refetch()}
        />
      ) : (
        <Skeleton width="100%" height="164px" />
      )}
    </Card>
  )
}

function Spending({ spending, view }: { spending: { from: string; to: string; data: DaySpending[] }; view: View }) {
  const { t } = useTranslation()
  const days = spentByDay(spending)
  if (spending.data.length === 0)
    return <p className={styles.empty}>{t('billing.noSpending', { days: days.length })}</p>
  return view === 'byDay' ? (
    <DayBars days={days} />
  ) : (
    <ModelBars models={spentByModel(spending.data)} dayCount={days.length} />
  )
}
