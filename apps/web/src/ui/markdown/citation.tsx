import { createContext, Fragment, type ReactNode, use } from 'react'

/**
 * Draws a number that an answer cites; undefined for one that it does not know, which stays the text that it is. A
 * context, so that a citation that becomes known draws itself anew and not the block around it.
 */
export const DrawCitation = createContext<((n: number) => ReactNode | undefined) | undefined>(undefined)

const noBreakSpace = '\u00a0'
const thinNoBreakSpace = '\u202f'

/** `[2]`, or `[2, 5]` as two; the numbers that are not known stay text. */
export function Citation({ space, numbers, children }: { space: string; numbers: number[]; children: ReactNode }) {
  const draw = use(DrawCitation)
  const drawn = numbers.map((n) => ({ n, chip: draw?.(n) }))
  if (drawn.every(({ chip }) => chip === undefined)) return [space, children]
  return (
    <>
      {space && noBreakSpace}
      {drawn.map(({ n, chip }, index) => (
        <Fragment key={n}>
          {index > 0 && thinNoBreakSpace}
          {chip ?? `[${n}]`}
        </Fragment>
      ))}
    </>
  )
}
