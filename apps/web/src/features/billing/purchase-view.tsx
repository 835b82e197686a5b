import type { Nano } from '@parley/contract/money'
import { Suspense, useEffect, useRef } from 'react'
import { closeBuyCredits, useBuyCredits } from '../../data/billing/buy-credits-state'
import { refreshCredits } from '../../data/billing/credits'
import { closePixPayment, useOpenPix } from '../../data/billing/open-payment'
import { lazyPart } from '../../ui/lazy-part'
import { BalanceCard } from './balance-card'
import { HistoryList } from './history-list'
import { InvoicesList } from './invoices-list'
import { PaymentReturn } from './payment-return'
import { SpendingSection } from './spending-section'
import { tellOfTransfers } from './transfer-news'
import { usePayParameter } from './use-pay-parameter'

const BuyCreditsDialog = lazyPart(() => import('./buy-credits'))
const PixDialog = lazyPart(() => import('./pix-dialog'))

/** The credits that there are, how they went, and how they were bought. */
export function PurchaseView({ amount }: { amount: Nano }) {
  usePayParameter()
  useFreshMovements(amount)
  // Transfers of a visit before this one may end now.
  useEffect(tellOfTransfers, [])
  return (
    <>
      <PaymentReturn />
      <BalanceCard amount={amount} />
      <SpendingSection />
      <InvoicesList />
      <HistoryList />
      <PaymentDialogs />
    </>
  )
}

/** A balance that changes by itself means that something has come or gone. */
function useFreshMovements(amount: Nano): void {
  const known = useRef(amount)
  useEffect(() => {
    if (known.current === amount) return
    known.current = amount
    refreshCredits()
  }, [amount])
}

function PaymentDialogs() {
  const isBuying = useBuyCredits((state) => state.isOpen)
  const pix = useOpenPix()
  // Whoever leaves the tab, by the browser's back button, does not find them open when they come again.
  useEffect(
    () => () => {
      closeBuyCredits()
      closePixPayment()
    },
    [],
  )
  return (
    <Suspense>
      {isBuying && <BuyCreditsDialog />}
      {pix && <PixDialog key={pix.id} payment={pix} />}
    </Suspense>
  )
}
