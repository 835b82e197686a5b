import { useLocation, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { openBuyCredits } from '../../data/billing/buy-credits-state'

/** `pay` in the address opens the dialog with that amount, once: after a reload nobody is asked again for what they may have paid. */
export function usePayParameter(): void {
  const { history } = useRouter()
  const search = useLocation({ select: ({ searchStr }) => searchStr })
  useEffect(() => {
    const params = new URLSearchParams(search)
    const pay = params.get('pay')
    if (pay === null) return
    openBuyCredits(amountOf(pay))
    params.delete('pay')
    params.set('tab', 'credits')
    history.replace(`/settings?${params}`)
  }, [search, history])
}

/** Undefined for what is no amount of dollars. */
function amountOf(pay: string): number | undefined {
  const amount = Number(pay)
  return pay.trim() !== '' && Number.isFinite(amount) && amount >= 0 ? amount : undefined
}
