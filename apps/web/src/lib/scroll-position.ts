/**
 * The scroll position of a list, in pixels. `above`: the height of the content before the last exchange. `view`: that
 * of the list on the screen.
 */
export type ScrollPosition = { top: number; height: number; above: number; view: number }

/** Within this distance of the end, in pixels, a reader who scrolls down has come to it. */
const endPx = 60

/** How far below the screen the list goes on. */
export const restBelow = ({ top, height, view }: ScrollPosition): number => height - view - top

/** Whether the list is farther from its end than what counts as being there. */
export const isFarFromEnd = (now: ScrollPosition): boolean => restBelow(now) >= endPx

/**
 * Whether the reader has scrolled up. Content above may shrink as well, when it is measured or rendered again, and
 * moves the list up in the same frame in which the last exchange grows. A last exchange that becomes shorter, and a
 * list that becomes higher on the screen, move it up by that much at most.
 */
export function hasScrolledUp(before: ScrollPosition, now: ScrollPosition): boolean {
  const shortened = Math.max(0, before.height - before.above - (now.height - now.above))
  const heightened = Math.max(0, now.view - before.view)
  const moved = before.top - before.above - (now.top - now.above)
  return now.top < before.top - 1 && moved > shortened + heightened + 1
}

/**
 * Whether the list follows its end after it was scrolled. Whoever goes up leaves the end with the first pixel: a key, a
 * touchpad and the animation of a wheel go up in steps that are shorter than the distance within which the end counts
 * as reached.
 */
export function followsEnd(didFollow: boolean, before: ScrollPosition, now: ScrollPosition): boolean {
  if (restBelow(now) <= 1) return true
  if (hasScrolledUp(before, now)) return false
  // Text that was added since the last step down does not count as scrolling up.
  return didFollow || (!isFarFromEnd(now) && now.top > before.top)
}
