import '../../i18n/later-texts'
import type { Nano } from '@parley/contract/money'
import { useId } from 'react'
import { useConfig } from '../../data/config/use-config'
import { openBuyCredits } from '../../data/payments/buy-credits-state'
import { useTranslation } from '../../i18n/interface-language'
import { exactDollars, flooredDollars } from '../../lib/dollar-text'
import { BoldText } from '../../ui/bold-text'
import { Button } from '../../ui/button'
import { Card } from '../../ui/card'
import { Skeleton } from '../../ui/skeleton'
import styles from './balance-card.module.css'

const balanceDecimals = 5

export function BalanceCard({ amount }: { amount: Nano }) {
  const { t, language } = useTranslation()
  const id = useId()
  return (
    <Card role="group" aria-labelledby={id} className={styles.card}>
      <div className={styles.words}>
        <h2 id={id}>{t('billing.available')}</h2>
        <p className={styles.amount}>{flooredDollars(amount, { decimals: balanceDecimals, language })}</p>
      </div>
      <Offer />
      <ul className={styles.examples} aria-label={t('billing.examples')}>
        <li>
          <BoldText text={t('billing.smallRequest', { price: exactDollars('0.01', language) })} />
        </li>
        <li>
          <BoldText text={t('billing.mediumRequest', { price: exactDollars('0.05', language) })} />
        </li>
      </ul>
    </Card>
  )
}

function Offer() {
  const { t } = useTranslation()
  const config = useConfig()
  if (!config) return <Skeleton width="132px" height="48px" />
  if (!config.payments?.methods.length) return <p className={styles.nothing}>{t('payments.notSold')}</p>
  return (
    <Button variant="primary" size="large" onClick={() => openBuyCredits()}>
      {t('billing.buy')}
    </Button>
  )
}
