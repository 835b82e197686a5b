// Fetches and runs the app once its first screen is painted. A page that nobody sees is not painted.
;(() => {
  const { app, modules, sheet } = document.body.dataset
  const failed = () => dispatchEvent(new Event('parley-start-failed'))
  const link = (fields) => {
    const element = Object.assign(document.createElement('link'), { crossOrigin: '', ...fields })
    document.head.append(element)
    return element
  }
  let hasStarted = false
  const start = () => {
    if (hasStarted) return
    hasStarted = true
    for (const href of modules.split(' ')) link({ rel: 'modulepreload', href })
    // The app draws with all of its styles. A sheet that fails is seen by start-guard.js.
    link({ rel: 'stylesheet', href: sheet }).addEventListener('load', () => import(app).catch(failed))
  }
  if (document.hidden) return start()
  document.addEventListener('visibilitychange', start, { once: true })
  // The page of a first visit says itself when it is painted (first-visit/after-paint.js).
  document.addEventListener('parley-painted', start, { once: true })
  if (document.querySelector('[data-first-visit]')) return
  // The next frame begins when this one is drawn, by other threads than this one.
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(start)))
})()
