import '../../i18n/later-texts'
import { formatDollars } from '@parley/contract/money'
import { useTranslation } from 'react-i18next'
import { exactDollars, spentDollars } from '../../lib/dollar-text'
import styles from './spending.module.css'
import type { Spent } from './spending-sums'

type Props = { spent: Spent } & ({ dayCount: number; about?: never } | { about: string; dayCount?: never })

/** What was spent, and when. In full when somebody points at it. */
export function Total({ spent, about, dayCount }: Props) {
  const { t, i18n } = useTranslation()
  return (
    <p className={styles.total} title={exactDollars(formatDollars(spent.amount), i18n.language)}>
      <b>{spentDollars(spent.amount, i18n.language)}</b> {about ?? t('billing.lastDays', { days: dayCount })}
    </p>
  )
}
