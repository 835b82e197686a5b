import { expect, it } from 'vitest'
import { hasScrolledUp } from './scroll-position'

/** At the end of a list of 3,000 px, whose last exchange has 1,200 px, in a window of 800 px. */
const before = { top: 2_200, height: 3_000, above: 1_800 }
const after = (change: Partial<typeof before>) => hasScrolledUp(before, { ...before, ...change })

it('a reader who goes up leaves the end, also while the answer grows or what stands above becomes longer [ST-039]', () => {
  expect(after({ top: 2_100 })).toBe(true)
  expect(after({ top: 2_100, height: 3_400 })).toBe(true)
  expect(after({ top: 2_190, height: 3_100, above: 1_900 })).toBe(true)
  expect(after({ top: 2_050, height: 2_900, above: 1_700 })).toBe(true)
})

it('a reader who goes up while the answer becomes a little shorter leaves the end as well [ST-039]', () => {
  expect(after({ top: 1_200, height: 2_990 })).toBe(true)
  expect(after({ top: 1_200, height: 2_900, above: 1_750 })).toBe(true)
})

it('what stands above and becomes shorter while the answer grows moves the list, and nobody has left its end [ST-039]', () => {
  expect(after({ top: 2_100, height: 3_500, above: 1_700 })).toBe(false)
  expect(after({ top: 2_100, height: 2_900, above: 1_700 })).toBe(false)
})

it('an answer that grows, or becomes shorter, moves nobody', () => {
  expect(after({ height: 4_000 })).toBe(false)
  expect(after({ top: 1_700, height: 2_500 })).toBe(false)
})
