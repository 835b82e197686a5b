/** Where a reader is in a list, in pixels. `above`: the height of what stands before the last exchange. */
export type Place = { top: number; height: number; above: number }

/**
 * Whether only the reader can have moved the list up. What stands above becomes shorter as well, once it is measured or
 * drawn anew, and moves the list up with it, in the same frame in which the last exchange grows.
 */
export function wentUp(before: Place, now: Place): boolean {
  const isLastShorter = now.height - now.above < before.height - before.above
  return now.top < before.top - 1 && now.top - now.above < before.top - before.above - 1 && !isLastShorter
}
