import { limits } from '@parley/contract/limits/shared'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isFrameShaped } from './frame-shape'

const shaped = (json: string): boolean => isFrameShaped(Buffer.from(json))

it('lets every question pass, whatever is written in it', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary' }),
      fc.array(fc.string({ unit: 'binary' }), { maxLength: limits.chat.maxContextMessages }),
      (question, contents) => {
        const lastMessages = contents.map((content) => ({ role: 'user', content }))
        const earlierMessages = Array.from({ length: limits.context.maxEarlierMessages }, () => lastMessages[0])
        const pinned = [...earlierMessages, ...lastMessages].map((_, index) => index)
        const body = { question, lastMessages, earlierMessages, pinned, typeChat: { prefix: '[[[[{{{{,,,,"\\' } }
        expect(shaped(JSON.stringify({ route: 'createChatMessage', body }))).toBe(true)
      },
    ),
  )
})

it('reads nothing that is nested deeper or holds more values than any frame', () => {
  for (const nested of ['['.repeat(100_000), '{"a":'.repeat(40_000), `{"body":${'['.repeat(9)}${']'.repeat(9)}}`])
    expect(shaped(nested)).toBe(false)
  expect(shaped(JSON.stringify({ body: { lastMessages: Array.from({ length: 80_000 }, () => 1) } }))).toBe(false)
  expect(shaped(JSON.stringify({ body: { lastMessages: Array.from({ length: 80_000 }, () => ({})) } }))).toBe(false)
})
