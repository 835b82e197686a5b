import { expect, it } from 'vitest'
import { citationsOf, citedNumbers } from './sent-sources'

it('finds the numbers that an answer cites, each once and in order', () => {
  expect(citedNumbers('The fee is three rents [2], unless moved [5, 1]. As said [2].')).toEqual([2, 5, 1])
})

it('takes links, definitions, indexes, words in brackets and code for no citation', () => {
  const text = 'See [1](https://x.org), [2][ref], a[3], `[4]`, [five].\n\n[6]: https://y.org\n\n```ts\nlist [7]\n```'
  expect(citedNumbers(text)).toEqual([])
})

it('draws no citation of a number that was not sent', () => {
  const lease = { fileId: 'f', name: 'lease.pdf', mediaType: 'application/pdf', bytes: 9, reading: 'passages' as const }
  const sent = [{ ...lease, of: 9, passages: [{ n: 1, text: 'Three rents.', page: 4 }] }]
  expect(citationsOf('Three rents [1], says the law [2].', sent)).toEqual([
    { type: 'source', n: 1, title: 'lease.pdf', fileId: 'f', page: 4, passage: 'Three rents.' },
  ])
})
