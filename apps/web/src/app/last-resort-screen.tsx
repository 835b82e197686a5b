import { AppError, errorText } from '@parley/contract/errors'
import { useState } from 'react'
import { reloadApp } from '../lib/reload-app'
import { Button } from '../ui/button'
import { Logo } from '../ui/logo'
import styles from './last-resort-screen.module.css'
import { lastResortTexts } from './last-resort-texts'

type Props = {
  error: unknown
  /** The app never came up, rather than failing while in use. */
  atStart?: boolean
}

/** Stands in for the whole page when nothing else can be shown. It depends on as little as possible. */
export function LastResortScreen({ error, atStart = false }: Props) {
  const [isClearing, setIsClearing] = useState(false)
  const language = document.documentElement.lang || navigator.language
  const texts = lastResortTexts(language)
  const detail = error instanceof AppError ? errorText(error.code, language) : undefined

  async function clear() {
    setIsClearing(true)
    await clearAppCache()
    location.reload()
  }

  return (
    <main className={styles.screen} role="alert">
      <Logo />
      <h1>{atStart ? texts.startTitle : texts.brokenTitle}</h1>
      <p>{detail ?? (atStart ? texts.start : texts.broken)}</p>
      <div className={styles.actions}>
        <Button variant="primary" onClick={() => void reloadApp()}>
          {texts.reload}
        </Button>
        <Button busy={isClearing} onClick={() => void clear()}>
          {isClearing ? texts.clearing : texts.clearCache}
        </Button>
      </div>
      <p className={styles.small}>{texts.kept}</p>
    </main>
  )
}

/** The app's files and its service worker; never the chats, which are in IndexedDB. */
async function clearAppCache(): Promise<void> {
  const registrations = (await navigator.serviceWorker?.getRegistrations().catch(() => [])) ?? []
  await Promise.allSettled(registrations.map((registration) => registration.unregister()))
  const names = 'caches' in globalThis ? await caches.keys().catch(() => []) : []
  await Promise.allSettled(names.map((name) => caches.delete(name)))
}
