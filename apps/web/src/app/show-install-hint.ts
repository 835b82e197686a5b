import '../i18n/later-texts'
import i18next from 'i18next'
import { toast } from '../ui/toast'
import type { InstallPrompt } from './install-hint'

/** Stays until it is closed. Without a prompt it says where to tap. */
export function showInstallHint(prompt: InstallPrompt | undefined): void {
  if (prompt) toast.notice(i18next.t('install.hint'), { label: i18next.t('install.install'), run: () => void prompt.prompt().catch(() => undefined) })
  else toast.notice(i18next.t('install.hintIos'))
}
