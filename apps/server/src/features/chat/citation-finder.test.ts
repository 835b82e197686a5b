import { citedNumbers } from '@parley/contract/sent-sources'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { aSentSource } from '../../testing/sent-sources'
import { CitationFinder } from './citation-finder'

const sent = [aSentSource('lease', ['One.', 'Two.', 'Three.'])]
const found = (pieces: readonly string[]): number[] => {
  const finder = new CitationFinder(sent)
  return pieces.flatMap((piece) => finder.add(piece).map(({ n }) => n))
}

it('tells a citation with the piece that ends it, once, and none of what was not sent', () => {
  const finder = new CitationFinder(sent)
  const told = ['Three rents [', '2', ']', ' and [9], again [2].\nKeys [1, 3].'].map((piece) =>
    finder.add(piece).map(({ n }) => n),
  )
  expect(told).toEqual([[], [], [2], [1, 3]])
})

it('takes an index in code for none, however the code comes in pieces', () => {
  expect(found(['```ts\n', 'list [1]\n', 'more [2]', '\n```', '\nSo [3].'])).toEqual([3])
  expect(found(['Read `a [1', ']` and [2].'])).toEqual([2])
})

it('has found all that the whole text cites when the last line is over', () => {
  const piece = fc.constantFrom('[1]', '[2]', '[3', ']', '(', ' word', '\n', '`', '```', '[1, 2]', '.')
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const text = `${pieces.join('')}\n`
      const early = new Set(found([...pieces, '\n']))
      for (const n of citedNumbers(text)) if (n <= 3) expect(early.has(n), JSON.stringify(text)).toBe(true)
    }),
  )
})
