import { pageBuild } from '../lib/page-build'
import { buildLock } from '../worker/build-lock'

/** The worker fetches the whole app: the first question comes first. */
const afterLoadMs = 3_000

/** What makes the page an app that can be installed, once there is time for it. */
export function startAfterLoad(): void {
  if (!import.meta.env.PROD) return
  holdBuild()
  const startSoon = () => setTimeout(() => void start(), afterLoadMs)
  if (document.readyState === 'complete') startSoon()
  else addEventListener('load', startSoon, { once: true })
}

async function start(): Promise<void> {
  if (!('serviceWorker' in navigator)) return
  // A page that cannot load it works without; the next one tries again.
  const { followVersions } = await import('./service-worker')
  await followVersions(navigator.serviceWorker)
}

/** Says for as long as this tab lives of which build it is: the files of that build stay on the device until then. */
function holdBuild(): void {
  const build = pageBuild()
  if (build) navigator.locks?.request(buildLock.nameOf(build), { mode: 'shared' }, () => new Promise(() => undefined)).catch(() => undefined)
}
