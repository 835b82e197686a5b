import '../../i18n/later-texts'
import type { Payment, PaymentStatus } from '@parley/contract/payments'
import { useEffect, useEffectEvent, useState } from 'react'
import { refreshCredits } from '../../data/credits/balance'
import { closeBuyCredits, openBuyCredits } from '../../data/payments/buy-credits-state'
import { closePixPayment } from '../../data/payments/open-payment'
import { refreshPayments } from '../../data/payments/payments'
import { usePixPayment } from '../../data/payments/pix-payment'
import { useTranslation } from '../../i18n/interface-language'
import { paidDollars } from '../../lib/dollar-text'
import { errorMessage } from '../../lib/error-message'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { toast } from '../../ui/toast'
import styles from './payment.module.css'
import { PixCode } from './pix-code'
import { PixWait } from './pix-wait'
import { realText } from './real-text'

/** The dialog with the code of a Pix payment, until it is paid, over, or closed. */
export default function PixDialog({ payment: opened }: { payment: Payment }) {
  const { payment, isUnknown, check } = usePixPayment(opened)
  const isPaid = payment.status === 'completed'
  useSuccess(isPaid)
  if (isPaid) return null
  if (payment.status !== 'pending' || !payment.pix) return <PixOver payment={payment} />
  return <PixOpen payment={payment} pix={payment.pix} isUnknown={isUnknown} check={check} />
}

function useSuccess(isPaid: boolean): void {
  const { t } = useTranslation()
  const celebrate = useEffectEvent(() => {
    refreshCredits()
    refreshPayments()
    closePixPayment()
    closeBuyCredits()
    toast.success(t('payments.added'))
  })
  useEffect(() => {
    if (isPaid) celebrate()
  }, [isPaid])
}

type OpenProps = {
  payment: Payment
  pix: NonNullable<Payment['pix']>
  isUnknown: boolean
  check: () => Promise<Payment>
}

function PixOpen({ payment, pix, isUnknown, check }: OpenProps) {
  const { t, language } = useTranslation()
  const [isBusy, setIsBusy] = useState(false)

  async function askNow() {
    setIsBusy(true)
    try {
      const { status } = await check()
      if (status === 'pending') toast.info(t('payments.stillPending'))
    } catch (error) {
      toast.error(errorMessage(error, language) ?? t('payments.checkFailed'))
    } finally {
      setIsBusy(false)
    }
  }

  return (
    <Dialog
      title={t('payments.pixTitle')}
      size="small"
      isStatic
      onClose={closePixPayment}
      footer={
        <>
          <Button variant="quiet" onClick={closePixPayment}>
            {t('payments.close')}
          </Button>
          <Button busy={isBusy} onClick={() => void askNow()}>
            {t('payments.checkStatus')}
          </Button>
        </>
      }
    >
      <div className={styles.payment}>
        <PixCode code={pix.qr_code}>
          <div>
            <p className={styles.total}>{realText(pix.tx_info.amount, language)}</p>
            <p className={styles.fine}>{t('payments.forCredits', { amount: paidDollars(payment.amount, language) })}</p>
          </div>
        </PixCode>
        {isUnknown ? (
          <p className={styles.problem} role="alert">
            {t('payments.pollFailed')}
          </p>
        ) : (
          <PixWait
            from={payment.created_at}
            until={pix.tx_info.expires_at}
            onEnd={() => void check().catch(() => undefined)}
          />
        )}
      </div>
    </Dialog>
  )
}

/** pending: the server no longer gives the code. */
const overKey = {
  pending: 'payments.pixGone',
  completed: 'payments.added',
  failed: 'payments.pixFailed',
  expired: 'payments.pixExpired',
  refunded: 'payments.pixRefunded',
} as const satisfies Record<PaymentStatus, string>

function PixOver({ payment: { status, amount } }: { payment: Payment }) {
  const { t } = useTranslation()
  function startAgain() {
    closePixPayment()
    openBuyCredits(amount)
  }
  useEffect(refreshPayments, [])
  return (
    <Dialog
      title={t('payments.pixTitle')}
      size="small"
      onClose={closePixPayment}
      footer={
        <>
          <Button variant="quiet" onClick={closePixPayment}>
            {t('payments.close')}
          </Button>
          <Button variant="primary" data-autofocus="" onClick={startAgain}>
            {t('payments.startAgain')}
          </Button>
        </>
      }
    >
      <p role="alert">{t(overKey[status])}</p>
    </Dialog>
  )
}
