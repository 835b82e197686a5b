import '../../i18n/later-texts'
import { useTranslation } from 'react-i18next'
import { useCredits } from '../../data/billing/credits'
import { usePlan } from '../../data/billing/plan'
import { useSubscription } from '../../data/billing/subscription'
import { Skeleton } from '../../ui/skeleton'
import { VisuallyHidden } from '../../ui/visually-hidden'
import styles from './billing.module.css'
import { LoadFailure } from './load-failure'
import { PurchaseView } from './purchase-view'
import { SubscriptionView, WalletView } from './subscription-view'

/** How the person pays for answers: with credits, by a subscription that is still running, or, with a wallet, not at all. */
export function CreditsTab() {
  const { t } = useTranslation()
  const plan = usePlan()
  const subscription = useSubscription()
  const credits = useCredits()
  if (plan.kind === 'signed-out') return null
  if (plan.kind === 'web3') return <WalletView />
  if (plan.kind === 'subscriber') return <SubscriptionView period={plan.period} amount={credits.data} />
  if (plan.amount !== undefined) return <PurchaseView amount={plan.amount} />

  const isBusy = subscription.isFetching || credits.isFetching
  const isStuck = [subscription, credits].some(({ isError, fetchStatus }) => isError || fetchStatus === 'paused')
  if (isStuck) {
    const retry = (): void => {
      if (subscription.isError) void subscription.refetch()
      void credits.refetch()
    }
    return <LoadFailure text={t('billing.loadFailed')} isBusy={isBusy} onRetry={retry} />
  }
  return <Loading />
}

function Loading() {
  const { t } = useTranslation()
  return (
    <div className={styles.loading} role="status">
      <VisuallyHidden>{t('billing.loading')}</VisuallyHidden>
      <Skeleton width="100%" height="130px" />
      <Skeleton width="100%" height="220px" />
    </div>
  )
}
