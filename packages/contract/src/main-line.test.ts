import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isOnBranch, mainLineOf } from './main-line'

const asked = (mId: string, afterMId: string | null, isShown = true) => ({ mId, afterMId, isShown })

it('goes through the first version of each question', () => {
  const entries = [asked('a', null), asked('b', 'a'), asked('c', 'b'), asked('b2', 'a', false), asked('d', 'b2', false)]
  expect(mainLineOf(entries)).toEqual(['a', 'b', 'c'])
  expect(isOnBranch(entries)).toBe(false)
  expect(mainLineOf([])).toEqual([])
  expect(isOnBranch([])).toBe(false)
})

it('tells a branch from it: one that leaves it, and one that ends before it does', () => {
  expect(isOnBranch([asked('a', null), asked('b', 'a', false), asked('b2', 'a')])).toBe(true)
  expect(isOnBranch([asked('a', null), asked('b', 'a', false)])).toBe(true)
})

it('begins with a question of its own where what it followed is gone', () => {
  expect(mainLineOf([asked('b', 'gone'), asked('c', 'b')])).toEqual(['b', 'c'])
})

it('is a way of the tree, without a circle, whatever the records say', () => {
  const id = fc.nat({ max: 8 }).map(String)
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.record({ mId: id, afterMId: fc.option(id) }), { selector: ({ mId }) => mId }),
      (all) => {
        const line = mainLineOf(all)
        expect(new Set(line).size).toBe(line.length)
        for (const [index, mId] of line.slice(1).entries())
          expect(all.find((each) => each.mId === mId)?.afterMId).toBe(line[index])
      },
    ),
  )
})
