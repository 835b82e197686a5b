const colors = { light: '#fafaf6', dark: '#121411' }

/**
 * theme-init.js has chosen before the first paint; this follows the system from then on, and a choice made in the app
 * in another tab.
 */
export function followTheme(): void {
  const system = matchMedia('(prefers-color-scheme: dark)')
  const apply = (): void => {
    const chosen = storedTheme()
    const theme = chosen === 'dark' || (chosen !== 'light' && system.matches) ? 'dark' : 'light'
    document.documentElement.dataset.theme = theme
    document.querySelector('meta[name="theme-color"]')?.setAttribute('content', colors[theme])
  }
  system.addEventListener('change', apply)
  addEventListener('storage', apply)
}

function storedTheme(): string | null {
  try {
    return localStorage.getItem('parley-theme')
  } catch {
    // Storage is denied: the system's theme it is.
    return null
  }
}
