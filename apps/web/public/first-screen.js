// Shows what stands in the page before the app has been loaded: in the language, with the sidebar and on the page that
// the app will show. src/app/first-screen draws it. The app's first render takes its place, with what was typed. In the
// page of a first visit (first-visit.ts) all is shown already, and this corrects what proves to be otherwise.
;(() => {
  const screen = document.querySelector('[data-first-screen]')
  const data = document.querySelector('[data-first-texts]')
  if (!screen || !data) return
  const stored = (key) => {
    try {
      return localStorage.getItem(key)
    } catch {
      // Storage is denied: as for a first visit.
      return null
    }
  }
  // Leads elsewhere, or is behind the lock of this device.
  screen.hidden = location.pathname === '/' || stored('parley-locked') !== null
  if (screen.hidden) return

  const languages = JSON.parse(data.textContent)
  const named = (tag) => Object.keys(languages).find((each) => each.toLowerCase() === tag?.toLowerCase())
  const baseOf = (tag) => tag.split('-')[0].toLowerCase()
  const alike = (tag) => named(tag) ?? Object.keys(languages).find((each) => baseOf(each) === baseOf(tag))
  const asked =
    named(new URLSearchParams(location.search).get('lang')) ??
    (stored('language') ? alike(stored('language')) : undefined)
  const preferred = navigator.languages.map(alike).find((tag) => tag && !languages[tag].isAsked)
  const language = asked ?? preferred ?? 'en-US'
  const { texts, direction } = languages[language]
  document.documentElement.lang = language
  document.documentElement.dir = direction
  for (const element of screen.querySelectorAll('[data-text]')) {
    const text = texts[element.dataset.text]
    if (element.textContent !== text) element.textContent = text
  }

  if (stored('left-bar-open') === 'false' && matchMedia('(min-width: 992px)').matches) {
    screen.setAttribute('data-compact', '')
    screen.querySelector('[data-first-sidebar]').setAttribute('data-compact', '')
    for (const element of screen.querySelectorAll('[data-full]')) element.remove()
  }

  // A fragment is a channel, unless it is an order to the app, such as `confirmEmail=…`.
  const hash = location.hash.slice(1)
  const hasAgent = /"assistant":"/.test(stored('configsMainChat') ?? '')
  const home = screen.querySelector('[data-first-home]')
  home.hidden = location.pathname !== '/app' || (hash !== '' && !hash.includes('=')) || hasAgent
  if (home.hidden) return
  const box = screen.querySelector('[data-first-text]')
  box.placeholder = texts[box.dataset.placeholder]
  box.setAttribute('aria-label', texts[box.dataset.label])
  // After the first frame, which focus would hold up: it needs the layout.
  if (matchMedia('(hover: hover)').matches) requestAnimationFrame(() => setTimeout(() => box.focus()))
})()
