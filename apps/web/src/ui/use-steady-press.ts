import { type ComponentProps, type MouseEvent, type PointerEvent, useRef } from 'react'

type Handlers = Pick<ComponentProps<'button'>, 'onPointerDown' | 'onClick'>

/** A pointer that moves farther than this, in pixels, before it is let go has left the place where it was pressed. */
const stillPx = 8

/**
 * Handlers of a button with which a mouse press that is let go where it began is a click, though the page has moved the
 * button away in between, as a list does while an answer is written: the button captures the pointer. Whoever moves the
 * pointer off the button before letting go takes the press back, as everywhere (WCAG 2.5.2). Fingers are captured by
 * the browser itself.
 */
export function useSteadyPress({ onPointerDown, onClick }: Handlers): Handlers {
  const pressed = useRef<{ x: number; y: number }>(undefined)
  return {
    onPointerDown: (event: PointerEvent<HTMLButtonElement>) => {
      onPointerDown?.(event)
      pressed.current = undefined
      // A press that a program has made up belongs to no pointer that could be captured.
      if (event.pointerType !== 'mouse' || event.button !== 0 || !event.isTrusted) return
      pressed.current = { x: event.clientX, y: event.clientY }
      event.currentTarget.setPointerCapture(event.pointerId)
    },
    onClick: (event: MouseEvent<HTMLButtonElement>) => {
      const from = pressed.current
      pressed.current = undefined
      // A click of the keyboard has no place, and a press that was cancelled may stand before it.
      const isTakenBack = from !== undefined && event.detail > 0 && hasLeft(event, from)
      if (!isTakenBack) return onClick?.(event)
      event.preventDefault()
      event.stopPropagation()
    },
  }
}

function hasLeft({ clientX, clientY, currentTarget }: MouseEvent, from: { x: number; y: number }): boolean {
  const { left, right, top, bottom } = currentTarget.getBoundingClientRect()
  const isOver = clientX >= left && clientX <= right && clientY >= top && clientY <= bottom
  return !isOver && Math.hypot(clientX - from.x, clientY - from.y) > stillPx
}
