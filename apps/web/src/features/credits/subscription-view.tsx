import '../../i18n/later-texts'
import { planOf, type SubscriptionPeriod } from '@parley/contract/credits'
import { type Nano, noMoney } from '@parley/contract/money'
import { useTranslation } from '../../i18n/interface-language'
import { flooredDollars } from '../../lib/dollar-text'
import { Badge } from '../../ui/badge'
import { Section } from '../../ui/section'
import styles from './credits-tab.module.css'

/** The plan of a subscriber, who is not charged credits until the period ends. Subscriptions are older than credits. */
export function SubscriptionView({ period, amount }: { period: SubscriptionPeriod; amount: Nano | undefined }) {
  const { t, language } = useTranslation()
  const until = new Intl.DateTimeFormat(language, { dateStyle: 'long' }).format(new Date(period.current_period_end))
  return (
    <>
      <Section title={t('billing.plan')}>
        <div className={styles.plan}>
          <p className={styles.planName}>{period.product_name}</p>
          <Badge tone="good">{t(`credits.${planOf(period)}`)}</Badge>
        </div>
        <p className={styles.explanation}>{t('billing.subscriptionUntil', { date: until })}</p>
      </Section>
      <Section title={t('billing.afterwards')}>
        <p className={styles.explanation}>{t('billing.afterwardsText')}</p>
        {amount !== undefined && amount > noMoney && (
          <p className={styles.explanation}>
            {t('billing.creditsWait', {
              amount: flooredDollars(amount, { decimals: balanceDecimals, language }),
            })}
          </p>
        )}
      </Section>
    </>
  )
}

/** As in the balance card. */
const balanceDecimals = 5

export function WalletView() {
  const { t } = useTranslation()
  return (
    <Section title={t('billing.plan')}>
      <p className={styles.planName}>{t('credits.web3')}</p>
      <p className={styles.explanation}>{t('billing.unlimitedText')}</p>
    </Section>
  )
}
