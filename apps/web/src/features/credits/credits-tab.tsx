import '../../i18n/later-texts'
import type { Nano } from '@parley/contract/money'
import { type ReactNode, useEffect, useRef } from 'react'
import { refreshCredits, useCredits } from '../../data/credits/balance'
import { usePlan } from '../../data/credits/plan'
import { useSubscription } from '../../data/credits/subscription'
import { useTranslation } from '../../i18n/interface-language'
import { LoadFailure } from '../../ui/load-failure'
import { Skeleton } from '../../ui/skeleton'
import { VisuallyHidden } from '../../ui/visually-hidden'
import { BalanceCard } from './balance-card'
import styles from './credits-tab.module.css'
import { HistoryList } from './history-list'
import { SpendingSection } from './spending-section'
import { SubscriptionView, WalletView } from './subscription-view'

/** The parts of the tab that belong to payments. */
type Payments = {
  /** The purchase dialogs, and the notice about the last purchase. */
  purchase: ReactNode
  invoices: ReactNode
}

/** The tab of the person's plan: credits, a current subscription, or, with a wallet, no charge. */
export function CreditsTab(payments: Payments) {
  const { t } = useTranslation()
  const plan = usePlan()
  const subscription = useSubscription()
  const credits = useCredits()
  if (plan.kind === 'signed-out') return null
  if (plan.kind === 'web3') return <WalletView />
  if (plan.kind === 'subscriber') return <SubscriptionView period={plan.period} amount={credits.data} />
  if (plan.amount !== undefined) return <CreditsView amount={plan.amount} {...payments} />

  const isBusy = subscription.isFetching || credits.isFetching
  if (subscription.isError || credits.isError) {
    const retry = (): void => {
      if (subscription.isError) void subscription.refetch()
      void credits.refetch()
    }
    return (
      <LoadFailure text={t('billing.loadFailed')} retryLabel={t('billing.retry')} isBusy={isBusy} onRetry={retry} />
    )
  }
  return <Loading />
}

function CreditsView({ amount, purchase, invoices }: Payments & { amount: Nano }) {
  useFreshMovements(amount)
  return (
    <>
      {purchase}
      <BalanceCard amount={amount} />
      <SpendingSection />
      {invoices}
      <HistoryList />
    </>
  )
}

/** A pushed balance means that spending and history have changed too: they are refetched. */
function useFreshMovements(amount: Nano): void {
  const known = useRef(amount)
  useEffect(() => {
    if (known.current === amount) return
    known.current = amount
    refreshCredits()
  }, [amount])
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
