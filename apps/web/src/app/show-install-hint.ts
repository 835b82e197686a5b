import '../i18n/later-texts'
import { t } from '../i18n/interface-language'
import { toast } from '../ui/toast'
import type { InstallPrompt } from './install-hint'

/** Stays until it is closed. Without a prompt it says where to tap. */
export function showInstallHint(prompt: InstallPrompt | undefined): void {
  if (prompt)
    toast.notice(t('install.hint'), {
      label: t('install.install'),
      run: () => void prompt.prompt().catch(() => undefined),
    })
  else toast.notice(t('install.hintIos'))
}
