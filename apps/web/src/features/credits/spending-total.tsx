import '../../i18n/later-texts'
import { formatDollars } from '@parley/contract/money'
import { useTranslation } from '../../i18n/interface-language'
import { exactDollars, spentDollars } from '../../lib/dollar-text'
import styles from './spending.module.css'
import type { Spent } from './spending-sums'

type Props = { spent: Spent } & ({ dayCount: number; about?: never } | { about: string; dayCount?: never })

/** A sum and its period; the exact amount on hover. */
export function Total({ spent, about, dayCount }: Props) {
  const { t, language } = useTranslation()
  return (
    <p className={styles.total} title={exactDollars(formatDollars(spent.amount), language)}>
      <b>{spentDollars(spent.amount, language)}</b> {about ?? t('billing.lastDays', { days: dayCount })}
    </p>
  )
}
