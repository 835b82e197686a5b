/** The scroll position of a list, in pixels. `above`: the height of the content before the last exchange. */
export type ScrollPosition = { top: number; height: number; above: number }

/**
 * Whether the reader has scrolled up. Content above may shrink as well, when it is measured or rendered again, and
 * moves the list up in the same frame in which the last exchange grows.
 */
export function hasScrolledUp(before: ScrollPosition, now: ScrollPosition): boolean {
  const isLastShorter = now.height - now.above < before.height - before.above
  return now.top < before.top - 1 && now.top - now.above < before.top - before.above - 1 && !isLastShorter
}
