// Runs the app once its first screen is painted. A page that nobody sees is not painted.
;(() => {
  const failed = () => dispatchEvent(new Event('parley-start-failed'))
  const start = () => import(document.body.dataset.app).catch(failed)
  if (document.hidden) return void start()
  document.addEventListener('visibilitychange', start, { once: true })
  requestAnimationFrame(() => setTimeout(start))
})()
