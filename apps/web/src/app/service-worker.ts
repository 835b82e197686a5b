import { draftsAreStored } from '../data/channels/drafts'
import { hasTemporaryMessages } from '../data/channels/temporary-chats'
import { whenAnswersEnd } from '../data/chat/live-chat'
import { t } from '../i18n/interface-language'
import { pageBuild } from '../lib/page-build'
import { reloadApp } from '../lib/reload-app'
import { trustedScriptUrl } from '../lib/trusted-url'
import { markAppOutdated } from '../ui/lazy-part'
import { reloadToast } from '../ui/toast'

/**
 * An installed app stays open for weeks: it looks for a new version by itself this often, and when somebody comes back
 * to it.
 */
const updateMs = 60 * 60_000
const leastUpdateMs = 10 * 60_000
/** Drafts behind a lock cannot be kept, however long one waits. */
const keepDraftsMs = 2_000

/**
 * Makes the app open without a network, looks for new versions, and offers them: a new one waits until the person
 * agrees to reload.
 */
export async function followVersions(container: ServiceWorkerContainer): Promise<void> {
  const wasControlled = container.controller !== null
  // The browser refuses where it may (private windows, a certificate it does not trust): the app works without.
  const registration = await container.register(trustedScriptUrl('/sw.js')).catch(() => undefined)
  if (!registration) return
  const offer = new VersionOffer()
  if (registration.waiting && container.controller) void offer.make()
  const follow = (worker: ServiceWorker | null) =>
    worker?.addEventListener('statechange', () => {
      // Without a controller this is the first visit, and nothing has to be reloaded.
      if (worker.state === 'installed' && container.controller) void offer.make()
    })
  // The browser looks for an update by itself when a page is opened, and may have found one already.
  follow(registration.installing)
  registration.addEventListener('updatefound', () => follow(registration.installing))
  lookForUpdates(registration, offer)
  // The first worker of a browser takes over as well: it has the files of this page.
  if (wasControlled) container.addEventListener('controllerchange', () => void offer.followOtherTab(), { once: true })
  // It may have been before this listened.
  const build = container.controller && (await begin(container.controller))
  if (build && build !== pageBuild()) void offer.followOtherTab()
}

/** Tells the worker of this tab. Answers with the build that the worker is of. */
function begin(worker: ServiceWorker): Promise<unknown> {
  const { port1, port2 } = new MessageChannel()
  worker.postMessage({ type: 'TAB_BEGUN' }, [port2])
  return new Promise((resolve) => {
    port1.onmessage = ({ data }) => resolve(data)
  })
}

/** What a tab does about a version that is newer than its own. */
class VersionOffer {
  private state: 'none' | 'offering' | 'declined' | 'reloading' = 'none'
  private declinedAt = 0

  /** Offers it once, and not before the answers that this tab receives are complete. */
  async make(): Promise<void> {
    if (this.state === 'offering' || this.state === 'reloading') return
    this.state = 'offering'
    await whenAnswersEnd()
    if (await reloadToast(t('shell.updateReady'))) {
      this.state = 'reloading'
      await keepDrafts()
      return reloadApp()
    }
    this.state = 'declined'
    this.declinedAt = Date.now()
  }

  /** The offer lasts seconds, and nobody may have seen it: it is made again, at most once an hour. */
  async remind(): Promise<void> {
    if (this.state === 'declined' && Date.now() - this.declinedAt >= updateMs) await this.make()
  }

  /**
   * Another tab has taken a new version. What nobody looks at follows by itself, unless something is open there that a
   * reload would lose.
   */
  async followOtherTab(): Promise<void> {
    if (this.state === 'reloading') return
    markAppOutdated()
    if (!isLeftAlone()) return this.make()
    await whenAnswersEnd()
    await keepDrafts()
    if (!isLeftAlone()) return this.make()
    this.state = 'reloading'
    location.reload()
  }
}

const keepDrafts = (): Promise<unknown> =>
  Promise.race([draftsAreStored(), new Promise((resolve) => setTimeout(resolve, keepDraftsMs))])

/** Drafts of chats are kept; temporary chats, and what is typed into a dialog or another page, are not. */
const isLeftAlone = (): boolean =>
  document.visibilityState === 'hidden' &&
  location.pathname === '/app' &&
  !hasTemporaryMessages() &&
  !document.querySelector('[role="dialog"]')

function lookForUpdates(registration: ServiceWorkerRegistration, offer: VersionOffer): void {
  let lookedAt = Date.now()
  const look = (): void => {
    lookedAt = Date.now()
    // Without a network there is nothing to find.
    registration.update().catch(() => undefined)
    void offer.remind()
  }
  const lookAgain = (): void => {
    if (document.visibilityState === 'visible' && Date.now() - lookedAt >= leastUpdateMs) look()
  }
  setInterval(look, updateMs)
  // The timers of a tab in the background stand still for as long as the browser likes.
  addEventListener('focus', lookAgain)
  addEventListener('online', lookAgain)
  document.addEventListener('visibilitychange', lookAgain)
}
