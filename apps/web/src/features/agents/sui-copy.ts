import '../../i18n/later-texts'
import type { TFunction } from 'i18next'
import { toast } from '../../ui/toast'

export async function copyText(text: string, t: TFunction): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    toast.success(t('suiAgents.copied'))
  } catch {
    // The browser does not allow it: the text is shown for the person to copy.
    toast.error(t('suiAgents.copyFailed', { text }))
  }
}
