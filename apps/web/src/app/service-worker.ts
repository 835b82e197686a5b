import i18next from 'i18next'
import { trustedScriptUrl } from '../lib/trusted-url'
import { reloadToast } from '../ui/toast'

/** The worker fetches the whole shell: the first question comes first. */
const afterLoadMs = 3_000

/** Makes the app open without network. A new version waits until the person agrees to reload. */
export function registerServiceWorker(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  const registerSoon = () => setTimeout(() => void register(), afterLoadMs)
  if (document.readyState === 'complete') registerSoon()
  else addEventListener('load', registerSoon, { once: true })
}

async function register(): Promise<void> {
  // The browser refuses where it may (private windows, a certificate it does not trust): the app works without.
  const registration = await navigator.serviceWorker.register(trustedScriptUrl('/sw.js')).catch(() => undefined)
  if (!registration) return
  if (registration.waiting && navigator.serviceWorker.controller) void offer(registration.waiting)
  const follow = (worker: ServiceWorker | null) =>
    worker?.addEventListener('statechange', () => {
      // Without a controller this is the first visit, and nothing has to be reloaded.
      if (worker.state === 'installed' && navigator.serviceWorker.controller) void offer(worker)
    })
  // The browser looks for an update by itself when a page is opened, and may have found one already.
  follow(registration.installing)
  registration.addEventListener('updatefound', () => follow(registration.installing))
}

async function offer(worker: ServiceWorker): Promise<void> {
  if (!(await reloadToast(i18next.t('shell.updateReady')))) return
  navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true })
  worker.postMessage({ type: 'SKIP_WAITING' })
}
