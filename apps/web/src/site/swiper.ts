/**
 * Cards that stand beside each other and are moved: by hand as they are, here by two buttons that say which one is
 * seen.
 */
export function moveCards(): void {
  const cards = document.querySelector<HTMLElement>('[data-swiper]')
  const buttons = document.querySelector<HTMLElement>('[data-swiper-buttons]')
  const place = buttons?.querySelector<HTMLElement>('[data-swiper-place]')
  const previous = buttons?.querySelector<HTMLButtonElement>('[data-swiper-previous]')
  const next = buttons?.querySelector<HTMLButtonElement>('[data-swiper-next]')
  if (!cards || !buttons || !place || !previous || !next) return
  const all = [...cards.children].filter((card) => card instanceof HTMLElement)

  const current = (): number => {
    const isAtEnd = cards.scrollLeft + cards.clientWidth >= cards.scrollWidth - 2
    if (isAtEnd && cards.scrollLeft > 0) return all.length - 1
    const distances = all.map((card) => Math.abs(card.offsetLeft - (all[0]?.offsetLeft ?? 0) - cards.scrollLeft))
    return distances.indexOf(Math.min(...distances))
  }
  const show = (): void => {
    const at = current()
    const text = (buttons.dataset.of ?? '').replace('{n}', String(at + 1)).replace('{total}', String(all.length))
    if (place.textContent !== text) place.textContent = text
    // What can be moved can be reached by the keyboard.
    if (cards.scrollWidth > cards.clientWidth) cards.tabIndex = 0
    else cards.removeAttribute('tabindex')
    previous.disabled = at === 0
    next.disabled = at === all.length - 1
  }
  const move = (by: number): void => {
    const card = all[current() + by]
    const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches
    if (card)
      cards.scrollTo({ left: card.offsetLeft - (all[0]?.offsetLeft ?? 0), behavior: isStill ? 'auto' : 'smooth' })
  }

  buttons.hidden = false
  previous.addEventListener('click', () => move(-1))
  next.addEventListener('click', () => move(1))
  cards.addEventListener('scroll', show, { passive: true })
  addEventListener('resize', show)
  show()
}
