import { useEffect } from 'react'
import { openBuyCredits } from '../../data/payments/buy-credits-state'
import { useLocation, useNavigate } from '../../lib/router/router'

/**
 * Opens the purchase dialog with the amount of the URL's `pay` parameter, once: a reload must not repeat a purchase
 * that may be paid.
 */
export function usePayParameter(): void {
  const navigate = useNavigate()
  const search = useLocation(({ search }) => search)
  useEffect(() => {
    const params = new URLSearchParams(search)
    const pay = params.get('pay')
    if (pay === null) return
    openBuyCredits(amountOf(pay))
    params.delete('pay')
    params.set('tab', 'credits')
    void navigate(`/settings?${params}`, { replace: true })
  }, [search, navigate])
}

/** Undefined for an invalid amount. */
function amountOf(pay: string): number | undefined {
  const amount = Number(pay)
  return pay.trim() !== '' && Number.isFinite(amount) && amount >= 0 ? amount : undefined
}
