import { expect, it } from 'vitest'
import { withinBudget } from './context-budget'

const exchange = (n: number, length: number) => [
  { role: 'user' as const, content: `q${n}`.padEnd(length, '.') },
  { role: 'assistant' as const, content: `a${n}`.padEnd(length, '.') },
]

it('keeps a short chat whole [ST-086]', () => {
  const context = [1, 2, 3, 4, 5, 6, 7].flatMap((n) => exchange(n, 100))
  expect(withinBudget(context, 'now')).toEqual(context)
})

it('drops the oldest of a long one, and never begins with an answer', () => {
  const context = [1, 2, 3].flatMap((n) => exchange(n, 15_000))
  const kept = withinBudget(context, 'now')
  expect(kept).toEqual(context.slice(2))
  expect(withinBudget(context, 'x'.repeat(10_000)).at(0)?.role).toBe('user')
  expect(withinBudget(context, 'x'.repeat(100_000))).toEqual([])
})
