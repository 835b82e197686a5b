import { useSyncExternalStore } from 'react'

const themes = ['light', 'dark', 'system'] as const
export type Theme = (typeof themes)[number]

const key = 'parley-theme'
const listeners = new Set<() => void>()
const darkSystem = (): MediaQueryList => matchMedia('(prefers-color-scheme: dark)')

function readTheme(): Theme {
  try {
    const stored = localStorage.getItem(key)
    return themes.find((theme) => theme === stored) ?? 'system'
  } catch {
    // Storage is denied: the choice lasts as long as the page.
    return 'system'
  }
}

let chosen: Theme | undefined

function currentTheme(): Theme {
  chosen ??= readTheme()
  return chosen
}

/** Puts the theme on <html>; public/theme-init.js has done it once before the first paint. */
function apply(): void {
  const theme = currentTheme()
  const isDark = theme === 'dark' || (theme === 'system' && darkSystem().matches)
  document.documentElement.dataset.theme = isDark ? 'dark' : 'light'
  document.querySelector('meta[name="theme-color"]')?.setAttribute('content', isDark ? '#121411' : '#fafaf6')
}

export function setTheme(theme: Theme): void {
  chosen = theme
  try {
    localStorage.setItem(key, theme)
  } catch {
    // See readTheme.
  }
  apply()
  for (const listener of listeners) listener()
}

/** Follows the system and the other tabs. Returns the end of it. */
export function watchTheme(): () => void {
  const system = darkSystem()
  const changed = (): void => {
    chosen = readTheme()
    apply()
    for (const listener of listeners) listener()
  }
  const stored = (event: StorageEvent): void => {
    if (event.key === key) changed()
  }
  apply()
  system.addEventListener('change', apply)
  addEventListener('storage', stored)
  return () => {
    system.removeEventListener('change', apply)
    removeEventListener('storage', stored)
  }
}

export function useTheme(): Theme {
  return useSyncExternalStore((changed) => {
    listeners.add(changed)
    return () => listeners.delete(changed)
  }, currentTheme)
}
