import { type RefObject, useEffect, useRef } from 'react'

/**
 * Moves the focus to the next stage when the focused element disappears with the last one, so that keyboard and screen
 * readers follow.
 */
export function useStageFocus(stage: string): RefObject<HTMLDivElement | null> {
  const body = useRef<HTMLDivElement>(null)
  const last = useRef(stage)
  useEffect(() => {
    if (last.current === stage) return
    last.current = stage
    if (!body.current?.contains(document.activeElement)) body.current?.focus()
  }, [stage])
  return body
}
