import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { formatDollars } from './money'
import { paymentRoutes, purchaseAmount } from './payments'

describe('the amount of a purchase', () => {
  it('is whole cents from 1 to 10,000 dollars, and what is none says why', () => {
    for (const amount of [1, 1.01, 29.9, 0.1 + 0.7 + 0.3, 9_999.99, 10_000].map(
      (value) => Math.round(value * 100) / 100,
    )) {
      const bought = purchaseAmount(amount)
      expect('amount' in bought && formatDollars(bought.amount)).toBe(String(amount))
    }
    for (const small of [0, -0, -5, 0.99, Number.MIN_VALUE])
      expect(purchaseAmount(small), String(small)).toEqual({ error: 'payment.minimum' })
    for (const large of [10_000.01, 1e300, Number.POSITIVE_INFINITY])
      expect(purchaseAmount(large), String(large)).toEqual({ error: 'payment.maximum' })
    for (const fine of [1.001, 1.0000000001, 5.555, Number.NaN])
      expect(purchaseAmount(fine), String(fine)).toEqual({ error: 'payment.amount' })
  })

  it('arrives as a number: text, nothing and 1e400 are none [ST-174]', () => {
    const { body } = paymentRoutes.create
    for (const amount of ['"5"', '"NaN"', 'null', '[5]', '1e400', 'true'])
      expect(z.safeParse(body, JSON.parse(`{"amount":${amount},"method":"pix"}`)).success, amount).toBe(false)
    expect(z.safeParse(body, { amount: 5, method: 'gold' }).success).toBe(false)
    expect(z.safeParse(body, { amount: 5, method: 'token' }).success).toBe(true)
  })
})
