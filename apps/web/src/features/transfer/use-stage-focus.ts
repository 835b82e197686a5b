import { type RefObject, useEffect, useRef } from 'react'

/** What was focused goes with the stage it belonged to; the next stage then takes the focus, so that a keyboard and a screen reader go on where the eye does. */
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
