import { expect, it } from 'vitest'
import { endOfSentences } from './answer-announcer'

it('reads out whole sentences, never a part of one', () => {
  const text = 'One sentence. Another one! And a thi'
  expect(text.slice(0, endOfSentences(text, 0))).toBe('One sentence. Another one! ')
  expect(endOfSentences(text, 27)).toBe(27)
  expect(endOfSentences('no end yet', 0)).toBe(0)
})
