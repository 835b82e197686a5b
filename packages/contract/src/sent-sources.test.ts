import { expect, it } from 'vitest'
import { citationsIn, citationsOf, citedNumbers, fitSources, numberedAfter, type SentSource } from './sent-sources'

it('finds the numbers that an answer cites, each once and in order', () => {
  expect(citedNumbers('The fee is three rents [2], unless moved [5, 1]. As said [2].')).toEqual([2, 5, 1])
})

it('takes links, definitions, indexes, words in brackets and code for no citation', () => {
  const text = 'See [1](https://x.org), [2][ref], a[3], `[4]`, [five].\n\n[6]: https://y.org\n\n```ts\nlist [7]\n```'
  expect(citedNumbers(text)).toEqual([])
})

it('finds citations that stand side by side, and tells where each stands', () => {
  expect(citedNumbers('Three rents [1][3]. More [2][name].')).toEqual([1, 3])
  expect(citationsIn('Three rents [1][3].')).toEqual([{ from: 12, to: 18, numbers: [1, 3] }])
})

it('draws no citation of a number that was not sent', () => {
  const lease = { fileId: 'f', name: 'lease.pdf', mediaType: 'application/pdf', bytes: 9, reading: 'passages' as const }
  const sent = [{ ...lease, of: 9, passages: [{ n: 1, text: 'Three rents.', page: 4 }] }]
  expect(citationsOf('Three rents [1], says the law [2].', sent)).toEqual([
    { type: 'source', n: 1, title: 'lease.pdf', fileId: 'f', page: 4, passage: 'Three rents.' },
  ])
})

const source = (fileId: string, passages: SentSource['passages']): SentSource => ({
  ...{ fileId, name: `${fileId}.pdf`, mediaType: 'application/pdf', bytes: 9, of: passages.length, passages },
  reading: 'whole',
})

it('keeps the numbers that an answer has cited when it is continued, and gives no number twice', () => {
  const cited = [
    { type: 'source' as const, n: 2, title: 'a.pdf', fileId: 'a', passage: 'Two.' },
    { type: 'source' as const, n: 5, title: 'a.pdf', fileId: 'a', page: 3, passage: 'Not chosen again.' },
    { type: 'source' as const, n: 7, title: 'gone.pdf', fileId: 'gone', passage: 'Gone.' },
  ]
  const chosen = [
    source('a', [
      { n: 1, text: 'New.' },
      { n: 2, text: 'Two.' },
    ]),
    source('b', [{ n: 3, text: 'Two.' }]),
  ]
  const numbered = numberedAfter(chosen, cited)
  expect(numbered.map(({ passages }) => passages)).toEqual([
    [
      { n: 1, text: 'New.' },
      { n: 2, text: 'Two.' },
      { n: 5, text: 'Not chosen again.', page: 3 },
    ],
    [{ n: 3, text: 'Two.' }],
  ])
})

it('leaves the last passages of the longest source out where not all fit', () => {
  const long = 'word '.repeat(200)
  const many = [1, 2, 3].map((n) => ({ n, text: long }))
  const [one, other] = fitSources([source('long', many), source('short', [{ n: 4, text: 'Short.' }])], 600)
  expect(one).toMatchObject({ reading: 'passages', of: 3, passages: [{ n: 1 }, { n: 2 }] })
  expect(other).toMatchObject({ reading: 'whole', passages: [{ n: 4 }] })
})
