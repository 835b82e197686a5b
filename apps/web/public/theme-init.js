// Runs before the first paint, so that a dark page never flashes white. src/ui/theme.ts takes over from here.
;(() => {
  let choice = null
  try {
    choice = localStorage.getItem('parley-theme')
  } catch {
    // Storage is denied: the system's theme it is.
  }
  const dark = choice === 'dark' || (choice !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.dataset.theme = dark ? 'dark' : 'light'
  document.querySelector('meta[name="theme-color"]')?.setAttribute('content', dark ? '#121411' : '#fafaf6')
})()
