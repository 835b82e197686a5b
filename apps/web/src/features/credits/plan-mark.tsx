import '../../i18n/later-texts'
import { leastToSend, planOf } from '@parley/contract/credits'
import { useCredits } from '../../data/credits/balance'
import { usePlan } from '../../data/credits/plan'
import { useTranslation } from '../../i18n/interface-language'
import { flooredDollars } from '../../lib/dollar-text'
import { Badge } from '../../ui/badge'
import { Skeleton } from '../../ui/skeleton'
import { VisuallyHidden } from '../../ui/visually-hidden'
import styles from './credits.module.css'

/** The balance, or the badge of a plan without charges. */
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

/** The same as text; undefined while it is unknown, and for an anonymous person. */
export function usePlanText(decimals: number): string | undefined {
  const { t, language } = useTranslation()
  const plan = usePlan()
  switch (plan.kind) {
    case 'signed-out':
      return undefined
    case 'web3':
      return t('credits.web3')
    case 'subscriber':
      return t(`credits.${planOf(plan.period)}`)
    case 'credits':
      return plan.amount === undefined ? undefined : flooredDollars(plan.amount, { decimals, language })
  }
}
