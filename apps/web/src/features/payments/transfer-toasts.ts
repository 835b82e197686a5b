import '../../i18n/later-texts'
import { errorText } from '@parley/contract/errors'
import { transferUrl } from '../../data/payments/payments'
import { onTransferEnd, type TransferEnd } from '../../data/payments/token-transfers'
import { interfaceLanguage, t } from '../../i18n/interface-language'
import { toast } from '../../ui/toast'

let isTelling = false

/** Shows the end of token transfers as toasts from now on, on any screen. */
export function announceTransfers(): void {
  if (isTelling) return
  isTelling = true
  onTransferEnd(showEnd)
}

function showEnd({ transfer, state }: TransferEnd): void {
  if (state.kind === 'paid') {
    toast.success(t('payments.added'))
    return
  }
  const url = transferUrl(transfer)
  const text = t('payments.refused', { reason: errorText(state.code, interfaceLanguage()), hash: transfer.hash })
  toast.notice(
    text,
    url === undefined
      ? undefined
      : { label: t('payments.explorer'), run: () => void window.open(url, '_blank', 'noopener') },
  )
}
