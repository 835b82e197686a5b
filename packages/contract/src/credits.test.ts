import { describe, expect, it } from 'vitest'
import { creditRoutes, hasEnoughCredits, isSubscriptionActive, planOf } from './credits'
import { errorText } from './errors'
import { dollars, storedNano } from './money'

const day = 86_400_000
const period = (days: number) => ({
  current_period_start: new Date(0).toISOString(),
  current_period_end: new Date(days * day).toISOString(),
})

describe('a subscription', () => {
  it('is active while its end is later than now [CH-150]', () => {
    const { current_period_end } = period(30)
    expect(isSubscriptionActive({ current_period_end }, 30 * day - 1)).toBe(true)
    expect(isSubscriptionActive({ current_period_end }, 30 * day)).toBe(false)
  })

  it('is annual when it is longer than a month can be, else monthly [CH-151]', () => {
    expect([28, 30, 31, 32, 365].map((days) => planOf(period(days)))).toEqual([
      'monthly',
      'monthly',
      'monthly',
      'annual',
      'annual',
    ])
  })
})

it('lets web3 people and subscribers always send, everybody else from 1 dollar on [CH-155, ST-053]', () => {
  const nobody = { isWeb3: false, isSubscribed: false }
  expect(hasEnoughCredits({ ...nobody, amount: dollars('1') })).toBe(true)
  expect(hasEnoughCredits({ ...nobody, amount: dollars('0.999999999') })).toBe(false)
  expect(hasEnoughCredits({ ...nobody, amount: undefined })).toBe(false)
  expect(hasEnoughCredits({ isWeb3: true, isSubscribed: false, amount: undefined })).toBe(true)
  expect(hasEnoughCredits({ isWeb3: false, isSubscribed: true, amount: storedNano(0n) })).toBe(true)
})

it('says the texts of the specification to the letter [ST-057, ST-058]', () => {
  expect(errorText('credits.not-enough')).toBe("You don't have enough credits to send a message, please buy credits.")
  expect(errorText('credits.minimum')).toContain('1 dollar')
})

it('has the addresses of the specification [CH-159, CH-160]', () => {
  expect(creditRoutes.credit.path).toMatch(/\/credit\/user$/)
  expect(creditRoutes.subscription.path).toMatch(/\/subscription\/user$/)
})
