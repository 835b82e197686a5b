import { followKeyboard } from '../lib/follow-keyboard'
import { type InstallPrompt, offerInstall } from './install-hint'
import { followVersions } from './service-worker'
import { showUnreadBadge } from './unread-badge'

/** What makes a page an app of the device. */
export function startInstalled(prompt: () => InstallPrompt | undefined): void {
  followKeyboard()
  showUnreadBadge()
  offerInstall(prompt)
  if ('serviceWorker' in navigator) void followVersions(navigator.serviceWorker)
}
