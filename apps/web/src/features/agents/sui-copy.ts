import '../../i18n/later-texts'
import type { Translate } from '../../i18n/interface-language'
import { toast } from '../../ui/toast'

export async function copyText(text: string, t: Translate): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    toast.success(t('suiAgents.copied'))
  } catch {
    // The browser denies the clipboard: the text is shown for the person to copy.
    toast.error(t('suiAgents.copyFailed', { text }))
  }
}
