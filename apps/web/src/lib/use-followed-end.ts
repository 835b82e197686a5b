import { type RefObject, useLayoutEffect, useRef } from 'react'
import { followsEnd, hasScrolledUp, type ScrollPosition } from './scroll-position'

/**
 * Keeps the end of what grows in view, for as long as the reader is there.
 * @param growth another value with each change of what is shown; nothing is scrolled while it is undefined
 * @param visit another value leads to the end again, wherever the reader is
 * @returns what is to be told of each scroll event
 */
export function useFollowedEnd(
  area: RefObject<HTMLElement | null>,
  growth: unknown,
  visit: unknown = undefined,
): () => void {
  const follows = useRef<{ does: boolean; visit: unknown }>({ does: true, visit })
  const seen = useRef<ScrollPosition>(undefined)

  useLayoutEffect(() => {
    const element = area.current
    if (!element || growth === undefined) return
    if (follows.current.visit !== visit) {
      follows.current = { does: true, visit }
      seen.current = undefined
    }
    // They may have gone up already, of which the event is still to come.
    if (!follows.current.does || (seen.current && hasScrolledUp(seen.current, positionOf(element)))) return
    element.scrollTop = element.scrollHeight
    seen.current = positionOf(element)
  }, [area, growth, visit])

  return () => {
    const element = area.current
    if (!element) return
    const now = positionOf(element)
    follows.current.does = followsEnd(follows.current.does, seen.current ?? now, now)
    seen.current = now
  }
}

const positionOf = ({ scrollTop: top, scrollHeight: height, clientHeight: view }: HTMLElement): ScrollPosition => ({
  ...{ top, height, view, above: 0 },
})
