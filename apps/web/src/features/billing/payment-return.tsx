import '../../i18n/later-texts'
import { useLocation, useRouter } from '@tanstack/react-router'
import { Clock } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './payment-return.module.css'
import { useReturnedPayment } from './use-returned-payment'

/** Somebody comes back from the page that takes cards. The address proves nothing: the payments tell what became of it. */
export function PaymentReturn() {
  return useHasReturned() ? <Notice /> : null
}

/** `success` in the address is taken out at once: it is of this visit only. */
function useHasReturned(): boolean {
  const { history } = useRouter()
  const search = useLocation({ select: ({ searchStr }) => searchStr })
  const [hasReturned, setHasReturned] = useState(false)
  useEffect(() => {
    const params = new URLSearchParams(search)
    if (params.get('success') !== 'true') return
    setHasReturned(true)
    params.delete('success')
    params.set('tab', 'credits')
    history.replace(`/settings?${params}`)
  }, [search, history])
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
