import { ClientFrame, type CreateChatMessage } from '@parley/contract/chat'
import { fitContext, messagesOf } from '@parley/contract/context'
import { limits } from '@parley/contract/limits/shared'
import { uuidv7 } from '@parley/contract/uuid'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { withContext as withSaid } from './frame-context'
import type { PathExchange } from './path-before'

const body = { question: 'And now?', channelId: 'c', messageId: uuidv7(), storageMode: 'local' as const }
const exchange = (n: number, length = 10, isPinned = false): PathExchange => ({
  mId: `m${n}`,
  isPinned,
  messages: [
    { role: 'user', content: `q${n} `.padEnd(length, 'x') },
    { role: 'assistant', content: `a${n} `.padEnd(length, 'y') },
  ],
})
const chat = (exchanges: number, length?: number): PathExchange[] =>
  Array.from({ length: exchanges }, (_, n) => exchange(n, length))
const sizeOf = (sent: CreateChatMessage): number =>
  new TextEncoder().encode(JSON.stringify({ route: 'createChatMessage', body: sent })).length
const withContext = (request: typeof body, path: readonly PathExchange[], window?: typeof small): CreateChatMessage =>
  withSaid(request, { path }, window)
const small = { tokens: 8_192, answer: 2_048 }

describe('what a question of a device’s chat carries', () => {
  it('is a frame that the server takes, whatever was said and pinned', () => {
    const length = fc.oneof(fc.nat({ max: 50 }), fc.nat({ max: 5_000 }), fc.nat({ max: 300_000 }))
    const said = fc.record({
      question: length,
      answer: length,
      isPinned: fc.boolean(),
      letter: fc.constantFrom('x', '\u0000', '"', 'é', '日', '\ud800'),
    })
    fc.assert(
      fc.property(
        fc.array(said, { maxLength: 20 }),
        fc.option(fc.nat({ max: 100_000 }), { nil: undefined }),
        (all, tokens) => {
          const path = all.map(({ letter, isPinned, ...lengths }, n): PathExchange => {
            const content = (count: number) => letter.repeat(count + 1)
            const messages = [
              { role: 'user' as const, content: content(lengths.question) },
              { role: 'assistant' as const, content: content(lengths.answer) },
            ]
            return { mId: `m${n}`, isPinned, messages }
          })
          const sent = withContext(body, path, tokens === undefined ? undefined : { tokens, answer: 0 })
          expect(sizeOf(sent)).toBeLessThanOrEqual(limits.chat.maxFrameBytes)
          expect(ClientFrame.safeParse({ route: 'createChatMessage', body: sent }).success).toBe(true)
          const whole = [...(sent.earlierMessages ?? []), ...sent.lastMessages]
          for (const position of sent.pinned ?? []) expect(whole[position]?.role).toBe('user')
        },
      ),
      { numRuns: 60 },
    )
  })

  it('is the last 7 exchanges, and before them what the window holds, as the server plans it [ST-086]', () => {
    const path = chat(60, 500)
    const sent = withContext(body, path, small)
    expect(sent.lastMessages).toEqual(messagesOf(path.slice(-7)))
    const earlier = sent.earlierMessages ?? []
    expect(earlier).toEqual(messagesOf(path).slice(-14 - earlier.length, -14))
    expect(earlier.length).toBeGreaterThan(0)
    expect(earlier.length + 14).toBeLessThan(120)
    expect(withContext(body, path, undefined).earlierMessages).toEqual(messagesOf(path.slice(0, -7)))
    expect(withContext(body, chat(5), small)).toEqual({ ...body, lastMessages: messagesOf(chat(5)) })
    expect(withContext(body, [], small)).toEqual({ ...body, lastMessages: [] })
  })

  it('leaves room for the instructions of the chat, which the server adds', () => {
    const settings = { instructions: 'x'.repeat(4_000) }
    const earlierOf = (more: object): number =>
      withContext({ ...body, ...more }, chat(60, 500), small).earlierMessages?.length ?? 0
    expect(earlierOf({ settings })).toBeGreaterThan(0)
    expect(earlierOf({ settings })).toBeLessThan(earlierOf({}))
  })

  it('has the last 7 exchanges whole even where the window is smaller, because the server plans for it', () => {
    const path = chat(9, 4_000)
    const sent = withContext(body, path, small)
    expect(sent.lastMessages).toEqual(messagesOf(path.slice(-7)))
    expect(sent.earlierMessages).toBeUndefined()
  })

  it('names what is pinned, among the last exchanges and long before them', () => {
    const path = [
      exchange(0, 2_000),
      exchange(1, 2_000, true),
      ...chat(60, 1_000),
      exchange(99, 10, true),
      exchange(100),
    ]
    const { earlierMessages = [], lastMessages, pinned } = withContext(body, path, small)
    expect(earlierMessages.slice(0, 2)).toEqual(path[1]?.messages)
    expect(pinned).toEqual([0, earlierMessages.length + 10])
    expect(lastMessages[10]).toEqual(path.at(-2)?.messages[0])
  })

  it('drops the oldest where the frame is full, and shortens only the newest', () => {
    const path = chat(9, 30_000)
    const fitted = fitContext(path, { tokens: 1e9, bytes: limits.chat.maxFrameBytes - 1_000 }).sent
    const { lastMessages, earlierMessages } = withContext(body, path, undefined)
    expect(earlierMessages).toBeUndefined()
    expect(lastMessages).toEqual(messagesOf(fitted))
    const huge = withContext(body, [exchange(1), exchange(2, 190_000)], undefined)
    expect(huge.lastMessages).toHaveLength(2)
    expect(huge.lastMessages[1]?.content).toContain('left out here')
    expect(sizeOf(huge)).toBeGreaterThan(0.9 * limits.chat.maxFrameBytes)
  })

  it('is refused where the question alone is too long for a frame', () => {
    const question = '\u0000'.repeat(limits.chat.maxQuestionLength)
    expect(() => withContext({ ...body, question }, [], undefined)).toThrowError(
      expect.objectContaining({ code: 'chat.too-large' }),
    )
  })
})
