import '../../i18n/later-texts'
import { leastToSend, planOf } from '@parley/contract/billing'
import { useTranslation } from 'react-i18next'
import { useCredits } from '../../data/billing/credits'
import { usePlan } from '../../data/billing/plan'
import { flooredDollars } from '../../lib/dollar-text'
import { Badge } from '../../ui/badge'
import { Skeleton } from '../../ui/skeleton'
import { VisuallyHidden } from '../../ui/visually-hidden'
import styles from './credits.module.css'

/** The amount, or the badge of whoever needs none. */
export function PlanMark({ decimals }: { decimals: number }) {
  const { t } = useTranslation()
  const plan = usePlan()
  const { isLoading } = useCredits()
  const text = usePlanText(decimals)
  if (plan.kind !== 'credits') return text === undefined ? null : <Badge tone="good">{text}</Badge>
  if (text !== undefined)
    return (
      <b className={styles.amount} data-low={(plan.amount !== undefined && plan.amount < leastToSend) || undefined}>
        {text}
      </b>
    )
  if (isLoading) return <Skeleton width="52px" height="14px" />
  return (
    <b className={styles.amount}>
      <span aria-hidden="true">—</span>
      <VisuallyHidden>{t('credits.unknown')}</VisuallyHidden>
    </b>
  )
}

/** The same in words; undefined while it is not known, and for nobody. */
export function usePlanText(decimals: number): string | undefined {
  const { t, i18n } = useTranslation()
  const plan = usePlan()
  switch (plan.kind) {
    case 'signed-out':
      return undefined
    case 'web3':
      return t('credits.web3')
    case 'subscriber':
      return t(`credits.${planOf(plan.period)}`)
    case 'credits':
      return plan.amount === undefined ? undefined : flooredDollars(plan.amount, { decimals, language: i18n.language })
  }
}
