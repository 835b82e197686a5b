import { pageBuild } from '../lib/page-build'
import { buildLock } from '../worker/build-lock'
import type { InstallPrompt } from './install-hint'

/** The worker fetches the whole app: the first question comes first. */
const afterLoadMs = 3_000

/** What makes the page an app that can be installed, once there is time for it. */
export function startAfterLoad(): void {
  if (!import.meta.env.PROD) return
  holdBuild()
  let prompt: InstallPrompt | undefined
  // Said once, before there is anything that listens to it. Chromium's own offer comes at the first visit already.
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault()
    prompt = event as InstallPrompt
  })
  // A page that cannot load it works without; the next one tries again.
  const start = () =>
    void import('./installed').then(({ startInstalled }) => startInstalled(() => prompt)).catch(() => undefined)
  const startSoon = () => setTimeout(start, afterLoadMs)
  if (document.readyState === 'complete') startSoon()
  else addEventListener('load', startSoon, { once: true })
}

/** Says for as long as this tab lives of which build it is: the files of that build stay on the device until then. */
function holdBuild(): void {
  const build = pageBuild()
  if (build)
    navigator.locks
      ?.request(buildLock.nameOf(build), { mode: 'shared' }, () => new Promise(() => undefined))
      .catch(() => undefined)
}
