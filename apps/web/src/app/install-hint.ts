import { onAnswerEnd } from '../data/chat/live-chat'

/** What Chromium hands over for the page to show its own offer. */
export type InstallPrompt = Event & { prompt: () => Promise<unknown> }

const key = 'parley-install-hint'
/** So many answers on this device are use, not a look. */
const answersBefore = 5

/**
 * Offers once, after real use, to install the app; whatever comes of it, never again. `prompt`: undefined where the
 * browser cannot install it now.
 */
export function offerInstall(prompt: () => InstallPrompt | undefined): void {
  if (isInstalled() || readCount() === 'done') return
  const stop = onAnswerEnd(() => {
    const count = readCount()
    if (count === 'done') return stop()
    if (count + 1 < answersBefore) return writeCount(count + 1)
    // Somebody who looks elsewhere would not see it.
    if (document.visibilityState === 'hidden') return
    const offered = prompt()
    if (!offered && !isIosSafari()) return
    stop()
    writeCount('done')
    void import('./show-install-hint').then(({ showInstallHint }) => showInstallHint(offered)).catch(() => undefined)
  })
}

const isInstalled = (): boolean =>
  matchMedia('(display-mode: standalone)').matches || ('standalone' in navigator && navigator.standalone === true)

/** There the page cannot ask for it; other browsers of that system have no such entry in their menus. */
const isIosSafari = (): boolean =>
  'standalone' in navigator && navigator.maxTouchPoints > 1 && !/CriOS|FxiOS|EdgiOS/.test(navigator.userAgent)

function readCount(): number | 'done' {
  try {
    const stored = localStorage.getItem(key)
    return stored === 'done' ? 'done' : Number(stored) || 0
  } catch {
    // Without storage "never again" cannot be kept.
    return 'done'
  }
}

function writeCount(count: number | 'done'): void {
  try {
    localStorage.setItem(key, String(count))
  } catch {
    // See readCount.
  }
}
