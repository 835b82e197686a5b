import '../../i18n/later-texts'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { transferUrl } from '../../data/billing/payments'
import { useTransferState } from '../../data/billing/token-transfers'
import { paidDollars, tokenText } from '../../lib/dollar-text'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import styles from './payment.module.css'
import type { SentTransfer } from './use-purchase'

/** A transfer of the token on its way. Closing this does not stop it: what becomes of it is said wherever the person is. */
export function TokenSent({ sent: { transfer, aizAmount, amount }, onClose }: { sent: SentTransfer; onClose: () => void }) {
  const { t, i18n } = useTranslation()
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
          <p className={styles.total}>{tokenText(aizAmount, i18n.language)} AIZ</p>
          <p className={styles.fine}>{t('payments.forCredits', { amount: paidDollars(amount, i18n.language) })}</p>
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
