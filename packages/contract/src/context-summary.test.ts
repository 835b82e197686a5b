import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type ContextExchange, messagesOf } from './context'
import { planContext } from './context-plan'
import { dueSummary, fitBeside, type PathPlace, pathBeside, summaryOf } from './context-summary'
import type { Summary } from './conversations'
import { limits } from './limits/shared'
import { estimateTokensOf } from './token-estimate'

type Placed = ContextExchange & PathPlace
const exchange = (n: number, fields: Partial<Placed> = {}): Placed => ({
  ...{ mId: `m${n}`, runId: `r${n}` },
  messages: [
    { role: 'user', content: `q${n}` },
    { role: 'assistant', content: `a${n}` },
  ],
  ...fields,
})
const aPath = (length: number): Placed[] => Array.from({ length }, (_, n) => exchange(n))
const summary = (n: number, fields: Partial<Summary> = {}): Summary => ({
  ...{ id: `s${n}`, channelId: 'c', upToRunId: `r${n}`, exchangeId: `m${n}` },
  ...{ text: `Up to ${n}`, messages: 2 * (n + 1), editedByPerson: false, ...fields },
})

describe('the summary that goes along', () => {
  it('is the nearest on the path that nobody has undone', () => {
    const path = aPath(9)
    const all = [summary(6), summary(2), summary(4), summary(7, { isUndone: true })]
    expect(summaryOf(path, all)?.id).toBe('s6')
    expect(summaryOf(path.slice(0, 6), all)?.id).toBe('s4')
    expect(summaryOf(path, [])).toBeUndefined()
  })

  it('counts only where its run is on the path: not on another branch, nor where another answer is shown', () => {
    const path = [exchange(0), exchange(1, { runId: 'another' }), exchange(2)]
    expect(summaryOf(path, [summary(1)])).toBeUndefined()
    expect(pathBeside(path, summary(1))).toEqual(path)
  })

  it('stands for all before it but what is pinned', () => {
    const path = aPath(6).map((each, n) => (n === 1 ? { ...each, isPinned: true } : each))
    expect(pathBeside(path, summary(3)).map(({ mId }) => mId)).toEqual(['m1', 'm4', 'm5'])
  })

  it('never takes more than a half of the room, however long somebody has made it', () => {
    fc.assert(
      fc.property(fc.nat({ max: 20_000 }), fc.integer({ min: 200, max: 4_000 }), (length, tokens) => {
        const fitted = fitBeside(aPath(40), 'x'.repeat(length), { tokens })
        expect(fitted.summaryTokens).toBeLessThanOrEqual(tokens / 2)
        expect(fitted.summaryTokens + estimateTokensOf(messagesOf(fitted.sent))).toBeLessThanOrEqual(tokens)
      }),
    )
  })
})

describe('a summary is due', () => {
  const due = (length: number, recent: number, summaries: Summary[] = [], unread = 0) =>
    dueSummary(aPath(length), { recent, unread, summaries })

  it('where more than a quarter of the path is left out, and not for less', () => {
    expect(due(8, 6)).toBeUndefined()
    expect(due(8, 5)).toEqual({ from: 0, upTo: 2 })
    expect(due(8, 8)).toBeUndefined()
    expect(due(0, 0)).toBeUndefined()
    // What was not even read is left out, too.
    expect(due(8, 7, [], 4)).toEqual({ from: 0, upTo: 0 })
  })

  it('once: not while one stands for it, edited or not, nor after it was undone', () => {
    expect(due(8, 5, [summary(2)])).toBeUndefined()
    expect(due(8, 5, [summary(2, { isUndone: true })])).toBeUndefined()
    expect(due(9, 5, [summary(2)])).toBeUndefined()
  })

  it('again where more than a quarter has been left out since, of what was said since', () => {
    expect(due(12, 5, [summary(2)])).toEqual({ from: 3, upTo: 6 })
    // One that was undone is no beginning.
    expect(due(12, 5, [summary(2, { isUndone: true })])).toEqual({ from: 0, upTo: 6 })
  })

  it('on a branch that the summary is not on', () => {
    const path = aPath(8).map((each, n) => (n >= 2 ? { ...each, mId: `b${n}`, runId: `b${n}` } : each))
    expect(dueSummary(path, { recent: 5, unread: 0, summaries: [summary(2)] })).toEqual({ from: 0, upTo: 2 })
  })

  it('not for what goes along because it is pinned', () => {
    const path = aPath(8).map((each, n) => (n < 2 ? { ...each, isPinned: true } : each))
    expect(dueSummary(path, { recent: 5, unread: 0, summaries: [] })).toBeUndefined()
  })

  it('no more once it is there, whatever was said, pinned and summarised', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ length: fc.nat({ max: 3_000 }), isPinned: fc.boolean() }), {
          minLength: 1,
          maxLength: 40,
        }),
        fc.integer({ min: 600, max: 8_000 }),
        (said, tokens) => {
          const path = said.map(({ length, isPinned }, n) =>
            exchange(n, { isPinned, messages: [{ role: 'user', content: 'x'.repeat(length) }] }),
          )
          const window = { tokens, answer: Math.floor(tokens / 4) }
          const asked = { path, unread: 0, window, agentTokens: 20, question: 'Next?' }
          const known: Summary[] = []
          const dueNow = () => {
            const plan = planContext({ ...asked, summary: summaryOf(path, known) })
            return dueSummary(path, { recent: plan.recent.count / 2, unread: 0, summaries: known })
          }
          for (let turns = 0, next = dueNow(); next; next = dueNow(), turns++) {
            expect(turns).toBeLessThan(4)
            known.push(summary(next.upTo, { text: 'x'.repeat(4 * limits.context.mostSummaryTokens) }))
          }
        },
      ),
    )
  })
})
