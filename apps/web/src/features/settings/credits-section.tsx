import '../../i18n/later-texts'
import { isWeb3, type User } from '@parley/contract/users'
import { useTranslation } from 'react-i18next'
import { Badge } from '../../ui/badge'
import { Section } from '../../ui/section'
import styles from './form.module.css'

/** What this person's messages cost them, as far as this server knows: nothing is on sale here. */
export function CreditsSection({ user }: { user: User }) {
  const { t, i18n } = useTranslation()
  const plan = planOf(user)
  return (
    <>
      {plan && (
        <Section title={t('settings.plan')}>
          <div className={styles.plan}>
            <Badge tone="good">{plan === 'web3' ? t('settings.unlimited') : plan.name}</Badge>
            <p className={styles.explanation}>
              {plan === 'web3'
                ? t('settings.unlimitedText')
                : t('settings.subscriptionUntil', { date: plan.until.toLocaleDateString(i18n.language, { dateStyle: 'long' }) })}
            </p>
          </div>
        </Section>
      )}
      <Section title={t('settings.credits')}>
        <p className={styles.explanation}>{t('settings.noCreditsSold')}</p>
      </Section>
    </>
  )
}

/** A subscription lasts until its period ends. */
function planOf(user: User): 'web3' | { name: string; until: Date } | undefined {
  if (isWeb3(user)) return 'web3'
  const { product_name, current_period_end } = user.app_metadata.subscription ?? {}
  if (product_name === undefined || current_period_end === undefined) return undefined
  const until = new Date(current_period_end)
  return until.getTime() > Date.now() ? { name: product_name, until } : undefined
}
