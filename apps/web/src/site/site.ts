// What makes the public pages livelier. Each of them is complete without it. Nothing of the app is imported: it would
// come along. What is to be known of the contract stands in the page.
import './site.css'
import { comeBack } from './come-back'
import { followTheme } from './follow-theme'
import { closeMenus, rememberLanguage } from './menus'
import { playPicture } from './play-picture'
import { scrollToSections } from './scroll-to-sections'
import { moveCards } from './swiper'

const alive: Record<string, () => void> = { home: playPicture, maintenance: comeBack, 'not-found': leadToStart }

// After the first paint, which needs none of it.
requestAnimationFrame(() => setTimeout(start))

function start(): void {
  followTheme()
  closeMenus()
  rememberLanguage()
  scrollToSections()
  moveCards()
  alive[document.body.dataset.page ?? '']?.()
}

/** Somebody who does anything on the page is reading it, and stays. */
function leadToStart(): void {
  const words = document.querySelector<HTMLElement>('[data-leaving]')
  if (!words) return
  words.hidden = false
  const leaving = setTimeout(() => location.assign(words.dataset.leaving ?? ''), Number(words.dataset.afterMs))
  const stay = (): void => {
    clearTimeout(leaving)
    words.hidden = true
  }
  const signs = ['pointerdown', 'keydown', 'scroll', 'touchstart']
  for (const sign of signs) addEventListener(sign, stay, { once: true, passive: true })
}
