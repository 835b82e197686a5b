/** A menu closes by Escape, which gives the focus back, and by a press or a step beside it. */
export function closeMenus(): void {
  const menus = [...document.querySelectorAll<HTMLDetailsElement>('details[data-menu]')]
  for (const menu of menus) {
    menu.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape' || !menu.open) return
      menu.open = false
      menu.querySelector('summary')?.focus()
    })
    menu.addEventListener('focusout', ({ relatedTarget }) => {
      if (relatedTarget instanceof Node && !menu.contains(relatedTarget)) menu.open = false
    })
    menu.addEventListener('click', ({ target }) => {
      if (target instanceof Element && target.closest('a[href]')) menu.open = false
    })
  }
  addEventListener('pointerdown', ({ target }) => {
    for (const menu of menus) if (!(target instanceof Node && menu.contains(target))) menu.open = false
  })
}

const key = 'language'
const mirrorKey = 'configsGeneralReducer'

/** The app opens in the language that was chosen here: it looks under these two names. */
export function rememberLanguage(): void {
  for (const link of document.querySelectorAll<HTMLElement>('[data-language]')) {
    link.addEventListener('click', () => {
      const { language = '' } = link.dataset
      try {
        const stored: unknown = JSON.parse(localStorage.getItem(mirrorKey) ?? '{}')
        localStorage.setItem(key, language)
        localStorage.setItem(mirrorKey, JSON.stringify({ ...(typeof stored === 'object' ? stored : {}), language }))
      } catch {
        // Storage is denied or holds something else: the server's cookie remembers it for these pages.
      }
    })
  }
}
