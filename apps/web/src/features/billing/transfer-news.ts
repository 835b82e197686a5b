import '../../i18n/later-texts'
import { errorText } from '@parley/contract/errors'
import i18next from 'i18next'
import { transferUrl } from '../../data/billing/payments'
import { onTransferEnd, type TransferEnd } from '../../data/billing/token-transfers'
import { toast } from '../../ui/toast'

let isTelling = false

/** From now on says what becomes of transfers of the token, wherever the person is by then. */
export function tellOfTransfers(): void {
  if (isTelling) return
  isTelling = true
  onTransferEnd(tell)
}

function tell({ transfer, state }: TransferEnd): void {
  const { t } = i18next
  if (state.kind === 'paid') {
    toast.success(t('payments.added'))
    return
  }
  const url = transferUrl(transfer)
  const text = t('payments.refused', { reason: errorText(state.code, i18next.language), hash: transfer.hash })
  toast.notice(text, url === undefined ? undefined : { label: t('payments.explorer'), run: () => void window.open(url, '_blank', 'noopener') })
}
