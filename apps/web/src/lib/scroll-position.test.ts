import { expect, it } from 'vitest'
import { followsEnd, hasScrolledUp } from './scroll-position'

/** At the end of a list of 3,000 px, whose last exchange has 1,200 px, in a window of 800 px. */
const before = { top: 2_200, height: 3_000, above: 1_800, view: 800 }
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

it('a list that becomes higher on the screen moves nobody, also while the answer grows', () => {
  expect(after({ top: 2_100, view: 900 })).toBe(false)
  expect(after({ top: 2_100, view: 900, height: 3_030 })).toBe(false)
  expect(after({ top: 1_900, view: 900 })).toBe(true)
})

/** Through these positions, each with what has changed in it. */
function following(did: boolean, ...changes: readonly Partial<typeof before>[]): boolean {
  let [follows, seen] = [did, before]
  for (const change of changes) {
    const now = { ...seen, ...change }
    follows = followsEnd(follows, seen, now)
    seen = now
  }
  return follows
}

it('steps up leave the end however short they are: a touchpad, an arrow key, the beginning of an animation [ST-039]', () => {
  expect(following(true, { top: 2_197 })).toBe(false)
  expect(following(true, { top: 2_197 }, { top: 2_194 }, { top: 2_160 })).toBe(false)
  expect(following(true, { top: 2_197 }, { height: 3_400 })).toBe(false)
})

it('who scrolls down to within a line of the end follows it again, who is only near it does not [ST-039]', () => {
  expect(following(false, { top: 2_100 }, { top: 2_141 })).toBe(true)
  expect(following(false, { top: 2_100 }, { top: 2_139 })).toBe(false)
  expect(following(false, { top: 2_150 }, { top: 2_145 })).toBe(false)
  expect(following(false, { height: 2_990 })).toBe(true)
})

it('an answer that grows faster than the list follows is followed on', () => {
  expect(following(true, { height: 4_000 }, { top: 2_600 })).toBe(true)
})
