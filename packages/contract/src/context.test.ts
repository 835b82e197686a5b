import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ContextMessage, Message } from './chat'
import { type ContextExchange, exchangesOf, fitContext, messagesOf, roomBeside, windowOf } from './context'
import { limits } from './limits/shared'
import { estimateTokens, estimateTokensOf } from './token-estimate'

type Named = ContextExchange & { name: number }
const exchange = (name: number, length = 100, isPinned = false): Named => ({
  name,
  isPinned,
  messages: [
    { role: 'user', content: `q${name} `.padEnd(length, 'x') },
    { role: 'assistant', content: `a${name} `.padEnd(length, 'y') },
  ],
})
const tokensOf = (sent: readonly ContextExchange[]): number => estimateTokensOf(messagesOf(sent))
const bytesOf = (sent: readonly ContextExchange[]): number =>
  new TextEncoder().encode(JSON.stringify(messagesOf(sent))).length
const namesOf = (sent: readonly Named[]): number[] => sent.map(({ name }) => name)

const text = fc.oneof(fc.string({ maxLength: 400 }), fc.string({ unit: 'binary', maxLength: 400 }), fc.constant('x'))
const message = fc.record({ role: fc.constantFrom('user' as const, 'assistant' as const), content: text })
const path = fc
  .array(fc.record({ messages: fc.array(message, { minLength: 1, maxLength: 3 }), isPinned: fc.boolean() }), {
    maxLength: 30,
  })
  .map((all): Named[] => all.map((each, name) => ({ ...each, name })))
const room = fc.record({
  tokens: fc.oneof(fc.nat({ max: 300 }), fc.nat({ max: 5_000 })),
  bytes: fc.option(fc.nat({ max: 20_000 }), { nil: undefined }),
  exchanges: fc.option(fc.integer({ min: 1, max: 20 }), { nil: undefined }),
})

describe('what of a conversation fits', () => {
  it('never takes more room than there is, whatever was said and pinned', () => {
    fc.assert(
      fc.property(path, room, (exchanges, given) => {
        const { sent, pinned, recent } = fitContext(exchanges, given)
        expect(tokensOf(sent)).toBeLessThanOrEqual(given.tokens)
        if (given.bytes !== undefined) expect(bytesOf(sent)).toBeLessThanOrEqual(given.bytes + 2)
        expect(sent.length).toBeLessThanOrEqual(given.exchanges ?? sent.length)
        expect(pinned.tokens + recent.tokens).toBe(tokensOf(sent))
        expect(pinned.exchanges + recent.exchanges).toBe(sent.length)
      }),
    )
  })

  it('is in order, without a gap but before what is pinned, and unchanged but for the newest', () => {
    fc.assert(
      fc.property(path, room, (exchanges, given) => {
        const { sent, pinned, recent, isCut } = fitContext(exchanges, given)
        const names = namesOf(sent)
        expect(names).toEqual([...names].sort((a, b) => a - b))
        for (const each of isCut ? sent.slice(0, -1) : sent) expect(each).toEqual(exchanges[each.name])
        const together = names.slice(pinned.exchanges)
        if (recent.exchanges > 0) expect(together).toEqual(exchanges.slice(-recent.exchanges).map(({ name }) => name))
        for (const each of sent.slice(0, pinned.exchanges)) expect(each.isPinned).toBe(true)
      }),
    )
  })

  it('leaves out nothing for which there is room, and pinned exchanges last', () => {
    fc.assert(
      fc.property(path, room, (exchanges, given) => {
        const { sent, pinnedLeftOut, isCut } = fitContext(exchanges, given)
        const isSent = new Set(namesOf(sent))
        const pinnedBefore = exchanges.slice(0, -1).filter(({ isPinned }) => isPinned)
        expect(pinnedLeftOut).toBe(pinnedBefore.filter(({ name }) => !isSent.has(name)).length)
        const next = exchanges.findLast(({ name }) => !isSent.has(name))
        if (!next || isCut || given.bytes !== undefined || given.exchanges !== undefined) return
        expect(tokensOf([...sent, next])).toBeGreaterThan(given.tokens)
      }),
    )
  })

  it('is the whole conversation where it fits, whether pinned or not', () => {
    fc.assert(
      fc.property(path, (exchanges) => {
        const fitted = fitContext(exchanges, { tokens: 1_000_000 })
        expect(fitted.sent).toEqual(exchanges)
        expect(fitted).toMatchObject({ pinnedLeftOut: 0, isCut: false, pinned: { exchanges: 0 } })
      }),
    )
  })

  it('always has the newest exchange, whatever else is pinned, shortened where it is too long', () => {
    const pinned = [1, 2, 3, 4].map((name) => exchange(name, 2_000, true))
    const huge = exchange(5, 100_000)
    const { sent, isCut, pinnedLeftOut } = fitContext([...pinned, huge], { tokens: 4_000 })
    expect(isCut).toBe(true)
    expect(namesOf(sent)).toEqual([3, 4, 5].slice(0 - sent.length))
    expect(pinnedLeftOut).toBe(4 - (sent.length - 1))
    const [question, answer] = sent.at(-1)?.messages ?? []
    expect(question?.content).toMatch(/^q5 x+\n\n\[… A part of this message is left out here.*\]\n\nx+$/s)
    expect(answer?.content).toMatch(/^a5 y+\n\n\[… A part of this message is left out here.*\]\n\ny+$/s)
  })

  it('shortens only the answer where the question is short, and keeps its end, where a continuation goes on', () => {
    const said: ContextMessage[] = [
      { role: 'user', content: 'Write it all' },
      { role: 'assistant', content: `${'👩‍👩‍👧é'.repeat(20_000)}THE END` },
    ]
    const { sent } = fitContext([{ messages: said }], { tokens: 2_000, bytes: 6_000 })
    const [question, answer] = messagesOf(sent)
    expect(question).toEqual(said[0])
    expect(answer?.content.endsWith('THE END')).toBe(true)
    expect(estimateTokens(answer?.content ?? '')).toBeGreaterThan(1_000)
    // No half of a character is left beside the notice.
    expect(encodeURIComponent(answer?.content ?? '')).toContain('THE')
  })

  it('sends nothing of the newest exchange where no word of it fits', () => {
    expect(fitContext([exchange(1, 5_000)], { tokens: 20 })).toMatchObject({ sent: [], isCut: true })
    expect(fitContext([], { tokens: 20 })).toMatchObject({ sent: [], isCut: false })
  })

  it('leaves a gap for what is longer than a frame may carry, unless it is the newest', () => {
    const long = exchange(1, limits.context.maxLength + 1)
    const tokens = 1_000_000
    expect(namesOf(fitContext([exchange(0), long, exchange(2)], { tokens }).sent)).toEqual([2])
    const { sent, isCut } = fitContext([exchange(0), long], { tokens })
    expect([namesOf(sent), isCut]).toEqual([[1], true])
    for (const { content } of messagesOf(sent)) expect(content.length).toBeLessThanOrEqual(limits.context.maxLength)
  })

  it('goes through 20,000 exchanges in no time, of which a few fit', () => {
    const long = Array.from({ length: 20_000 }, (_, name) => exchange(name, 400, name === 3))
    const { sent, pinned } = fitContext(long, { tokens: 5_000 })
    expect(namesOf(sent)[0]).toBe(3)
    expect(pinned.exchanges).toBe(1)
    expect(sent.length).toBe(Math.floor(5_000 / tokensOf([exchange(1, 400)])))
  })
})

describe('the window of a model', () => {
  it('keeps a part for the answer, never more than a quarter', () => {
    expect(windowOf({ contextTokens: 131_072 })).toEqual({ tokens: 131_072, answer: 16_384 })
    expect(windowOf({ contextTokens: 8_192, maxOutputTokens: 8_192 })).toEqual({ tokens: 8_192, answer: 2_048 })
    expect(windowOf({ contextTokens: 8_192, maxOutputTokens: 512 })).toEqual({ tokens: 8_192, answer: 512 })
    const unknown = { tokens: limits.context.unknownWindowTokens, answer: 5_000 }
    for (const odd of [undefined, {}, { contextTokens: 0 }, { contextTokens: -5, maxOutputTokens: -1 }])
      expect(windowOf(odd)).toEqual(unknown)
  })

  it('has room for what the question, the answer and the agent leave', () => {
    const window = { tokens: 1_000, answer: 200 }
    expect(roomBeside(window, { agentTokens: 300, question: 'x'.repeat(400) })).toBe(
      (1_000 - 200 - 300 - 108) * 0.9 - 0.8,
    )
    expect(roomBeside(window, { agentTokens: 300, question: 'x'.repeat(40_000) })).toBe(0)
  })
})

describe('the exchanges of a path', () => {
  it('are those with an answer, each with its id and whether it is pinned', () => {
    const said = (mId: string, answer: string, more: Partial<Message> & { isPinned?: true } = {}) => ({
      ...{ mId, channelId: 'c', chat_request: `q${mId}`, datetime: '', status: 'completed' as const, ...more },
      chat_response: { role: 'assistant' as const, content: answer },
    })
    const messages = [said('1', 'a', { isPinned: true }), said('2', ' '), said('3', 'sorry', { empty: true })]
    expect(exchangesOf([...messages, said('4', 'b')])).toEqual([
      {
        mId: '1',
        runId: '1',
        isPinned: true,
        messages: [
          { role: 'user', content: 'q1' },
          { role: 'assistant', content: 'a' },
        ],
      },
      {
        mId: '4',
        runId: '4',
        isPinned: false,
        messages: [
          { role: 'user', content: 'q4' },
          { role: 'assistant', content: 'b' },
        ],
      },
    ])
  })
})
