import '../../i18n/later-texts'
import { useEffect } from 'react'
import { transferUrl } from '../../data/payments/payments'
import { useTransferState } from '../../data/payments/token-transfers'
import { useTranslation } from '../../i18n/interface-language'
import { paidDollars, tokenText } from '../../lib/dollar-text'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import styles from './payment.module.css'
import type { PendingTransfer } from './use-purchase'

/**
 * The dialog about a pending token transfer. Closing it does not stop the transfer, whose end is shown as a toast on
 * any screen.
 */
export function TokenSent({
  sent: { transfer, aizAmount, amount },
  onClose,
}: {
  sent: PendingTransfer
  onClose: () => void
}) {
  const { t, language } = useTranslation()
  const { kind } = useTransferState(transfer.hash)
  const url = transferUrl(transfer)
  const isOver = kind === 'paid' || kind === 'refused'
  useEffect(() => {
    if (isOver) onClose()
  }, [isOver, onClose])
  return (
    <Dialog
      title={t('payments.tokenTitle')}
      size="small"
      onClose={onClose}
      footer={
        <Button variant="quiet" onClick={onClose}>
          {t('payments.close')}
        </Button>
      }
    >
      <div className={styles.payment}>
        <div>
          <p className={styles.total}>{tokenText(aizAmount, language)} AIZ</p>
          <p className={styles.fine}>{t('payments.forCredits', { amount: paidDollars(amount, language) })}</p>
        </div>
        <p role="status">{t(kind === 'unreachable' ? 'payments.transferUnreachable' : 'payments.transferSent')}</p>
        <p className={styles.fine}>{t('payments.mayClose')}</p>
        {url !== undefined && (
          <a href={url} target="_blank" rel="noopener noreferrer">
            {t('payments.explorer')}
          </a>
        )}
      </div>
    </Dialog>
  )
}
