const key = 'parley-section'

/** From another page a section's link leads to the landing page first, which scrolls there when it stands. */
export function scrollToSections(): void {
  if (document.body.dataset.page === 'home') scrollToAsked()
  for (const link of document.querySelectorAll<HTMLAnchorElement>('a[data-section]')) {
    link.addEventListener('click', (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey || !keep(link.dataset.section ?? '')) return
      event.preventDefault()
      location.assign(link.pathname)
    })
  }
}

function keep(section: string): boolean {
  try {
    sessionStorage.setItem(key, section)
    return true
  } catch {
    // Storage is denied: the browser follows the link by itself.
    return false
  }
}

function scrollToAsked(): void {
  let section: string | null = null
  try {
    section = sessionStorage.getItem(key)
    sessionStorage.removeItem(key)
  } catch {
    // See keep.
  }
  const target = section === null ? null : document.getElementById(section)
  if (!target) return
  setTimeout(() => {
    target.scrollIntoView()
    target.focus({ preventScroll: true })
    history.replaceState(null, '', `#${target.id}`)
  }, Number(document.body.dataset.scrollMs))
}
