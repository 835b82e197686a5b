import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type ContextExchange, contextSizeOf, fitContext, messagesOf, roomBeside } from './context'
import { affordablePromptTokens, fullnessOf, isOverfull, planContext } from './context-plan'
import type { PathPlace } from './context-summary'
import { limits } from './limits/shared'
import { dollars, noMoney, parseMarkup, parsePrices } from './money'
import { estimateTokensOf } from './token-estimate'

const exchange = (length: number, isPinned = false): ContextExchange & PathPlace => ({
  mId: '',
  isPinned,
  messages: [
    { role: 'user', content: 'x'.repeat(length) },
    { role: 'assistant', content: 'y'.repeat(length) },
  ],
})
const window = { tokens: 8_192, answer: 2_048 }
const asked = { unread: 0, window, agentTokens: 100, question: 'And now?' }

describe('the plan of a question', () => {
  it('counts what the prompt takes along, and everything else as not sent', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ length: fc.nat({ max: 4_000 }), isPinned: fc.boolean() }), { maxLength: 30 }),
        fc.nat({ max: 9 }),
        (lengths, unread) => {
          const path = lengths.map(({ length, isPinned }) => exchange(length, isPinned))
          const plan = planContext({ ...asked, path, unread })
          const { sent } = fitContext(path, { tokens: roomBeside(window, asked) })
          expect(plan.recent.tokens + plan.pinned.tokens).toBe(estimateTokensOf(messagesOf(sent)))
          expect(plan.recent.count + 2 * plan.pinned.count + plan.unsent).toBe(2 * path.length + unread)
          expect(plan.usedTokens).toBeLessThanOrEqual(window.tokens)
        },
      ),
    )
  })

  it('is the same by the sizes of texts that are not at hand', () => {
    const path = [exchange(3_000, true), ...Array.from({ length: 20 }, () => exchange(1_000))]
    const sizes = path.map((each, index) =>
      index === path.length - 1 ? each : { ...each, messages: [], size: contextSizeOf(each.messages) },
    )
    expect(planContext({ ...asked, path: sizes })).toEqual(planContext({ ...asked, path }))
  })

  it('warns of what is pinned and does not fit, and of a question that does not, and of nothing else', () => {
    const full = planContext({ ...asked, path: Array.from({ length: 60 }, () => exchange(1_000)) })
    expect(full.unsent).toBeGreaterThan(0)
    expect(fullnessOf(full)).toBeGreaterThan(0.8)
    expect(isOverfull(full)).toBe(false)
    const pinned = planContext({ ...asked, path: [exchange(20_000, true), exchange(10)] })
    expect([pinned.pinnedLeftOut, isOverfull(pinned)]).toEqual([1, true])
    const long = planContext({ ...asked, path: [], question: 'x'.repeat(40_000) })
    expect([long.isQuestionTooLong, fullnessOf(long)]).toEqual([true, 1])
  })

  it('stays within the money that pays for the prompt', () => {
    const path = Array.from({ length: 60 }, () => exchange(1_000))
    const plan = planContext({ ...asked, path, maxTokens: 2_000 })
    expect(plan.usedTokens - window.answer).toBeLessThanOrEqual(2_000)
    expect(plan.recent.count).toBeGreaterThan(0)
  })
})

it('a prompt costs at most a half of what a person has, and without prices a fixed number of tokens', () => {
  const prices = parsePrices({ prompt: '0.000001', completion: '0.000002' })
  const markup = parseMarkup(1)
  if (!markup) throw new Error('no markup')
  expect(affordablePromptTokens({ spendable: dollars(1), prices, markup })).toBe(250_000)
  expect(affordablePromptTokens({ spendable: noMoney, prices, markup })).toBe(0)
  expect(affordablePromptTokens({ spendable: noMoney, prices: undefined, markup })).toBe(
    limits.context.operatorPaidTokens,
  )
})
