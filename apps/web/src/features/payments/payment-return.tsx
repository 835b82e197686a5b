import '../../i18n/later-texts'
import { Clock } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from '../../i18n/interface-language'
import { useLocation, useNavigate } from '../../lib/router/router'
import styles from './payment-return.module.css'
import { useReturnedPayment } from './use-returned-payment'

/** Shown after a return from the card page. The URL proves nothing: the payments' status decides. */
export function PaymentReturn() {
  return useHasReturned() ? <Notice /> : null
}

/** `success` is removed from the URL at once: it is valid for this visit only. */
function useHasReturned(): boolean {
  const navigate = useNavigate()
  const search = useLocation(({ search }) => search)
  const [hasReturned, setHasReturned] = useState(false)
  useEffect(() => {
    const params = new URLSearchParams(search)
    if (params.get('success') !== 'true') return
    setHasReturned(true)
    params.delete('success')
    params.set('tab', 'credits')
    void navigate(`/settings?${params}`, { replace: true })
  }, [search, navigate])
  return hasReturned
}

function Notice() {
  const { t } = useTranslation()
  const { stage, status } = useReturnedPayment()
  if (stage === 'done') return null
  return (
    <div className={styles.notice} role="status">
      <Clock aria-hidden="true" />
      <p>
        <strong>{t('billing.returned')}</strong>
        {stage === 'over' && status
          ? t('billing.returnedOver', { status: t(`billing.statuses.${status}`) })
          : t(stage === 'late' ? 'billing.returnedLate' : 'billing.returnedText')}
      </p>
    </div>
  )
}
