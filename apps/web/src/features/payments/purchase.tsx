import { Suspense, useEffect } from 'react'
import { closeBuyCredits, useBuyCredits } from '../../data/payments/buy-credits-state'
import { closePixPayment, useOpenPix } from '../../data/payments/open-payment'
import { lazyPart } from '../../ui/lazy-part'
import { PaymentReturn } from './payment-return'
import { announceTransfers } from './transfer-toasts'
import { usePayParameter } from './use-pay-parameter'

const BuyCreditsDialog = lazyPart(() => import('./buy-credits'))
const PixDialog = lazyPart(() => import('./pix-dialog'))

/** Buying credits: the dialogs, and the notice for a person who comes back from the card page. */
export function Purchase() {
  usePayParameter()
  // Transfers of an earlier visit may end now.
  useEffect(announceTransfers, [])
  return (
    <>
      <PaymentReturn />
      <PaymentDialogs />
    </>
  )
}

function PaymentDialogs() {
  const isBuying = useBuyCredits((state) => state.isOpen)
  const pix = useOpenPix()
  // A person who leaves the tab by the browser's back button does not find them open on the next visit.
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
