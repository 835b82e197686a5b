// A file of the page that cannot be loaded leaves it white: a network that breaks, or a deployment under way, where
// another server does not have it yet. The page is loaded anew once by itself, then it says what is wrong and goes on
// trying. Depends on nothing that could be missing too.
;(() => {
  const key = 'parley-start-failed'
  const soonMs = 1_000
  const againMs = 10_000
  const recentMs = 60_000
  const texts = {
    pt: ['Não foi possível carregar o Parley.', 'Recarregar'],
    es: ['No se pudo cargar Parley.', 'Recargar'],
    en: ['Parley could not be loaded.', 'Reload'],
  }
  let hasFailed = false

  /** Whether the app is not up: at most its first screen is in the page. */
  const isEmpty = (root) => !root || root.childElementCount === 0 || root.querySelector('[data-first-screen]') !== null

  /** Whether the page before this one failed as well. Without storage every failure counts as one of several. */
  const failedBefore = () => {
    try {
      const last = Number(sessionStorage.getItem(key) ?? 0)
      sessionStorage.setItem(key, String(Date.now()))
      return Date.now() - last < recentMs
    } catch {
      return true
    }
  }

  const tell = (root) => {
    const [text, label] = texts[navigator.language.slice(0, 2)] ?? texts.en
    const message = document.createElement('p')
    message.textContent = text
    const button = document.createElement('button')
    button.textContent = label
    button.style.cssText =
      'min-height:44px;padding:0 20px;border:1px solid;border-radius:10px;background:none;color:inherit;font:inherit;cursor:pointer'
    button.addEventListener('click', () => location.reload())
    const screen = document.createElement('main')
    screen.setAttribute('role', 'alert')
    screen.style.cssText =
      'display:grid;place-content:center;justify-items:center;gap:16px;min-height:100vh;font:16px system-ui;text-align:center'
    screen.append(message, button)
    root.replaceChildren(screen)
  }

  const help = () => {
    const root = document.getElementById('root')
    // An app that is up helps itself.
    if (hasFailed || !isEmpty(root)) return
    hasFailed = true
    if (!failedBefore()) return setTimeout(() => location.reload(), soonMs)
    addEventListener('online', () => location.reload())
    setTimeout(() => location.reload(), againMs)
    if (root) tell(root)
    else addEventListener('DOMContentLoaded', () => tell(document.getElementById('root')))
  }

  addEventListener(
    'error',
    ({ target }) => {
      const isFile =
        target instanceof HTMLScriptElement || (target instanceof HTMLLinkElement && target.rel === 'stylesheet')
      if (isFile) help()
    },
    true,
  )
  // What was to be fetched ahead is fetched once more when it is to run (start-app.js).
  addEventListener('parley-start-failed', help)
})()
