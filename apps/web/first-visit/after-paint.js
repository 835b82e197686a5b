// Once the page of a first visit is painted it does what every other page does before: whoever has been here after all,
// and has lost the cookie, gets the language, the theme and the page that they chose. A page that nobody sees is not
// painted.
;(() => {
  let hasRun = false
  const run = () => {
    if (hasRun) return
    hasRun = true
    const secure = location.protocol === 'https:' ? '; secure' : ''
    // biome-ignore lint/suspicious/noDocumentCookie: the other way to set one is asynchronous, and not everywhere
    document.cookie = `parley-visited=1; path=/app; max-age=31536000; samesite=lax${secure}`
    for (const element of document.querySelectorAll('[data-awaited]')) element.removeAttribute('data-awaited')
    // first-visit.ts puts the scripts here, as statements: nothing may follow.
    globalThis.SCRIPTS()
  }
  if (document.hidden) return run()
  document.addEventListener('visibilitychange', run, { once: true })
  const painted = () => {
    run()
    document.dispatchEvent(new Event('parley-painted'))
  }
  // Told once the frame is shown: a further frame that is asked for now would be made while the first one is drawn.
  if (globalThis.PerformanceObserver?.supportedEntryTypes?.includes('paint'))
    new PerformanceObserver((_, observer) => {
      observer.disconnect()
      painted()
    }).observe({ type: 'paint', buffered: true })
  else requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(painted)))
})()
