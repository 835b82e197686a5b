import i18next from 'i18next'
import { reloadApp } from '../lib/reload-app'
import { trustedScriptUrl } from '../lib/trusted-url'
import { markAppOutdated } from '../ui/lazy-part'
import { reloadToast } from '../ui/toast'

/** The worker fetches the whole shell: the first question comes first. */
const afterLoadMs = 3_000
/** An installed app stays open for weeks: it looks for a new version by itself this often, and when somebody comes back to it. */
const updateMs = 60 * 60_000
const leastUpdateMs = 10 * 60_000

/** Makes the app open without network. A new version waits until the person agrees to reload. */
export function registerServiceWorker(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  const registerSoon = () => setTimeout(() => void followVersions(navigator.serviceWorker), afterLoadMs)
  if (document.readyState === 'complete') registerSoon()
  else addEventListener('load', registerSoon, { once: true })
}

/** Registers the worker, looks for new versions, and offers them. */
export async function followVersions(container: ServiceWorkerContainer): Promise<void> {
  const wasControlled = container.controller !== null
  // The browser refuses where it may (private windows, a certificate it does not trust): the app works without.
  const registration = await container.register(trustedScriptUrl('/sw.js')).catch(() => undefined)
  if (!registration) return
  if (registration.waiting && container.controller) void offer()
  const follow = (worker: ServiceWorker | null) =>
    worker?.addEventListener('statechange', () => {
      // Without a controller this is the first visit, and nothing has to be reloaded.
      if (worker.state === 'installed' && container.controller) void offer()
    })
  // The browser looks for an update by itself when a page is opened, and may have found one already.
  follow(registration.installing)
  registration.addEventListener('updatefound', () => follow(registration.installing))
  lookForUpdates(registration)
  // The first worker of a browser takes over as well: it has the files of this page.
  if (wasControlled) container.addEventListener('controllerchange', onOtherVersion, { once: true })
}

let isReloading = false

async function offer(): Promise<void> {
  if (!(await reloadToast(i18next.t('shell.updateReady')))) return
  isReloading = true
  await reloadApp()
}

/** Another tab has taken a new version, and the files of this page's are gone. What nobody looks at follows at once; drafts and running answers are kept. */
function onOtherVersion(): void {
  if (isReloading) return
  markAppOutdated()
  if (document.visibilityState === 'hidden') location.reload()
  else void offer()
}

function lookForUpdates(registration: ServiceWorkerRegistration): void {
  let lookedAt = Date.now()
  const look = (): void => {
    lookedAt = Date.now()
    // Without a network there is nothing to find.
    registration.update().catch(() => undefined)
  }
  setInterval(look, updateMs)
  addEventListener('focus', () => {
    if (Date.now() - lookedAt >= leastUpdateMs) look()
  })
}
