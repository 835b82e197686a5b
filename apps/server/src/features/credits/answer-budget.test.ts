import { charge, costOf, dollars, parseMarkup, parsePrice, plus, type TokenCount } from '@parley/contract/money'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { known } from '../../testing/paying-room'
import { AnswerBudget, BudgetSpentError } from './public/answer-budget'
import { affordableLength, maxPriceOf } from './public/answer-price'

const price = fc.constantFrom('0', '0.0000001', '0.000002', '0.0003').map((text) => known(parsePrice(text)))
const markup = fc.constantFrom(1, 1.37, 3).map((factor) => known(parseMarkup(factor)))
/** Of a call: what the model reads, and which share of what it may write it writes. */
const call = fc.record({ likelyTokens: fc.nat(5_000), share: fc.double({ min: 0, max: 1, noNaN: true }) })

it('the calls of an answer, however many, cost no more than its hold together', () => {
  fc.assert(
    fc.property(
      fc.record({ prompt: price, completion: price }),
      markup,
      fc.array(call, { minLength: 1, maxLength: 20 }),
      (prices, factor, calls) => {
        const promptOf = (likelyTokens: number) => ({ likelyTokens, maxTokens: 2 * likelyTokens })
        const first = promptOf(calls[0]?.likelyTokens ?? 0)
        const limits = { budget: dollars(1), prices, maxOutputTokens: 4_000, contextTokens: undefined, markup: factor }
        const maxTokens = affordableLength(first, limits)
        if (maxTokens === undefined) return
        const amount = maxPriceOf(first, { prices, maxTokens, markup: factor })
        const budget = new AnswerBudget({ maxTokens, money: { amount, prices, markup: factor } })
        let [cost, written] = [dollars(0), 0]
        for (const [at, { likelyTokens, share }] of calls.entries()) {
          const prompt = promptOf(likelyTokens)
          let length: number | undefined
          try {
            length = budget.lengthOfCall(prompt)
          } catch (error) {
            expect(error).toBeInstanceOf(BudgetSpentError)
            continue
          }
          // The first call may be as long as the hold has paid for.
          if (at === 0) expect(length).toBe(maxTokens)
          const used: TokenCount = { inputTokens: prompt.maxTokens, outputTokens: Math.floor(share * (length ?? 0)) }
          budget.spend(used)
          cost = plus(cost, charge(costOf(used, prices), factor))
          written += used.outputTokens
        }
        expect(cost <= amount).toBe(true)
        expect(written).toBeLessThanOrEqual(maxTokens)
      },
    ),
  )
})

it('an answer that is not charged is bounded by its tokens, and one of a model on this machine by nothing', () => {
  const free = new AnswerBudget({ maxTokens: 100 })
  const prompt = { likelyTokens: 1, maxTokens: 2 }
  expect(free.lengthOfCall(prompt)).toBe(100)
  free.spend({ inputTokens: 1, outputTokens: 60 })
  expect(free.lengthOfCall(prompt)).toBe(40)
  free.spend({ inputTokens: 1, outputTokens: 45 })
  expect(() => free.lengthOfCall(prompt)).toThrow(BudgetSpentError)
  const local = new AnswerBudget({ maxTokens: undefined })
  local.spend({ inputTokens: 1, outputTokens: 1_000_000 })
  expect(local.lengthOfCall(prompt)).toBeUndefined()
})
