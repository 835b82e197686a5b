import { describe, expect, it } from 'vitest'
import { startAmount, typedAmount } from './typed-amount'

const type = (before: string, value: string, isUnreadable = false) => typedAmount(before, { value, isUnreadable })

describe('the amount field [ST-171]', () => {
  it.each([
    ['12', '', '0'],
    ['0', '07', '7'],
    ['0', '0.5', '0.5'],
    ['1', '12.34', '12.34'],
    ['1', '00012', '12'],
  ])('with %s, then %j, has %s', (before, value, after) => expect(type(before, value)).toBe(after))

  it.each(['-1', '-0.01', 'abc', '1e3', '1,5', ' 5', '٥', 'Infinity', '99999999999'])('ignores %s', (value) =>
    expect(type('12.5', value)).toBe('12.5'),
  )

  it('ignores what the browser cannot read as a number', () => expect(type('12.5', '', true)).toBe('12.5'))

  it.each([
    [undefined, '0'],
    [25, '25'],
    [12.5, '12.5'],
    [0, '0'],
    [-5, '0'],
    [Number.NaN, '0'],
    [Number.POSITIVE_INFINITY, '0'],
    [1e21, '0'],
  ])('begins, opened with %s, with %s', (amount, text) => expect(startAmount(amount)).toBe(text))
})
