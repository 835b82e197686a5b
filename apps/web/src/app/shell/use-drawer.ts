import { type RefObject, useEffect } from 'react'
import { isRtl } from '../../lib/direction'
import { setDrawerOpen } from './sidebar-state'

const swipePx = 60

/** How far a finger has gone towards the side that the drawer closes to. */
const outward = (from: number, to: number): number => (isRtl() ? to - from : from - to)

/**
 * Focus goes into the open drawer and back to where it came from; Esc and a swipe close it. The page behind is inert,
 * which keeps Tab inside.
 */
export function useDrawer(drawer: RefObject<HTMLElement | null>, isOpen: boolean): void {
  useEffect(() => {
    const element = drawer.current
    if (!isOpen || !element) return
    const opener = document.activeElement
    element.querySelector<HTMLElement>('[data-drawer-focus]')?.focus()

    let start: { x: number; y: number } | undefined
    const close = () => setDrawerOpen(false)
    const onKeyDown = (event: KeyboardEvent) => {
      // A menu or a dialog above the drawer takes Esc first.
      if (
        event.key === 'Escape' &&
        !event.defaultPrevented &&
        !document.querySelector('dialog[open], [role="menu"], [data-popover]')
      )
        close()
    }
    const onTouchStart = (event: TouchEvent) => {
      const touch = event.touches[0]
      start = touch && event.touches.length === 1 ? { x: touch.clientX, y: touch.clientY } : undefined
    }
    const onTouchMove = (event: TouchEvent) => {
      const touch = event.touches[0]
      if (!start || !touch) return
      const x = Math.max(0, outward(start.x, touch.clientX))
      if (Math.abs(touch.clientY - start.y) > x) return
      element.style.transition = 'none'
      element.style.transform = `translateX(calc(var(--along) * ${-x}px))`
    }
    const onTouchEnd = (event: TouchEvent) => {
      const end = event.changedTouches[0]
      const x = start && end ? outward(start.x, end.clientX) : 0
      const wasSwiped = start && end && x > swipePx && x > Math.abs(end.clientY - start.y)
      start = undefined
      element.style.transition = ''
      element.style.transform = ''
      if (wasSwiped) close()
    }

    document.addEventListener('keydown', onKeyDown)
    element.addEventListener('touchstart', onTouchStart, { passive: true })
    element.addEventListener('touchmove', onTouchMove, { passive: true })
    element.addEventListener('touchend', onTouchEnd)
    element.addEventListener('touchcancel', onTouchEnd)
    return () => {
      document.removeEventListener('keydown', onKeyDown)
      element.removeEventListener('touchstart', onTouchStart)
      element.removeEventListener('touchmove', onTouchMove)
      element.removeEventListener('touchend', onTouchEnd)
      element.removeEventListener('touchcancel', onTouchEnd)
      // After the page is no longer inert.
      if (opener instanceof HTMLElement)
        requestAnimationFrame(() => opener.isConnected && isLost(element) && opener.focus())
    }
  }, [drawer, isOpen])
}

/**
 * Nobody has taken the focus since, such as the dialog that a menu item opened; what is in the closed drawer cannot
 * keep it.
 */
const isLost = (drawer: HTMLElement): boolean =>
  document.activeElement === null || document.activeElement === document.body || drawer.contains(document.activeElement)
