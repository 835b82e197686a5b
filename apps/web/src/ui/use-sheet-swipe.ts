import { type RefObject, type TouchEvent, useRef } from 'react'

/** A swipe of this many pixels closes a sheet. */
const swipePx = 80

/** Handlers that let a finger pull a sheet down by its handle, and close it. */
export function useSheetSwipe(sheet: RefObject<HTMLElement | null>, onClose: () => void) {
  const start = useRef<number>(undefined)
  const move = (y: number): void => {
    const element = sheet.current
    if (!element) return
    element.style.transition = y > 0 ? 'none' : ''
    element.style.transform = y > 0 ? `translateY(${y}px)` : ''
  }
  const distance = ({ changedTouches }: TouchEvent): number =>
    start.current === undefined ? 0 : Math.max(0, (changedTouches[0]?.clientY ?? 0) - start.current)
  return {
    onTouchStart: ({ target, touches }: TouchEvent): void => {
      const isHandle = target instanceof Element && target.closest('[data-sheet-handle]') !== null
      start.current = isHandle && touches.length === 1 ? touches[0]?.clientY : undefined
    },
    onTouchMove: (event: TouchEvent): void => {
      if (start.current !== undefined) move(distance(event))
    },
    onTouchEnd: (event: TouchEvent): void => {
      const isFar = distance(event) > swipePx
      start.current = undefined
      move(0)
      if (isFar) onClose()
    },
    onTouchCancel: (): void => {
      start.current = undefined
      move(0)
    },
  }
}
