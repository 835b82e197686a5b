import { describe, expect, it } from 'vitest'
import { totalUsage } from './usage'

describe('what the runs of an answer used together', () => {
  const first = { inputTokens: 10, outputTokens: 200, cost: '900000000000000001' }

  it('is the sum, to the last nano-dollar', () => {
    const second = { inputTokens: 250, outputTokens: 30, cost: '2' }
    expect(totalUsage(first, second)).toEqual({ inputTokens: 260, outputTokens: 230, cost: '900000000000000003' })
  })

  it('is what is known of it', () => {
    const uncounted = { inputTokens: 1, outputTokens: 1 }
    expect([totalUsage(undefined, undefined), totalUsage(first, undefined), totalUsage(undefined, first)]).toEqual([
      undefined,
      first,
      first,
    ])
    expect(totalUsage(uncounted, first)).toEqual({ inputTokens: 11, outputTokens: 201, cost: first.cost })
    expect(totalUsage(first, uncounted)).toEqual({ inputTokens: 11, outputTokens: 201, cost: first.cost })
    expect(totalUsage(uncounted, uncounted)).toEqual({ inputTokens: 2, outputTokens: 2 })
  })

  it('takes no cost that is none from a file', () => {
    expect(totalUsage({ ...first, cost: '-1e9' }, { inputTokens: 1, outputTokens: 1, cost: '5' })).toMatchObject({
      cost: '5',
    })
  })
})
