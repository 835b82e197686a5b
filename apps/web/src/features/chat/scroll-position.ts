/** The scroll position of a list, in pixels. `above`: the height of the content before the last exchange. */
export type ScrollPosition = { top: number; height: number; above: number }

/**
 * Whether the reader has scrolled up. Content above may shrink as well, when it is measured or rendered again, and
 * moves the list up in the same frame in which the last exchange grows. A last exchange that becomes shorter moves it up
 * by that much at most.
 */
export function hasScrolledUp(before: ScrollPosition, now: ScrollPosition): boolean {
  const shortened = Math.max(0, before.height - before.above - (now.height - now.above))
  const moved = before.top - before.above - (now.top - now.above)
  return now.top < before.top - 1 && moved > shortened + 1
}
