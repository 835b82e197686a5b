// All that a first visit has to ask before its first paint: reading what is stored takes a call to another process.
// first-visit.ts hides the home of a page that may be another one.
;(() => {
  const { dataset } = document.documentElement
  dataset.theme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
  if (location.hash !== '') dataset.elsewhere = ''
})()
