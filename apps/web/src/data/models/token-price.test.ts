import { describe, expect, it } from 'vitest'
import { exactPrice, parsePrice, shortPrice } from './token-price'

const short = (text: string): string | undefined => {
  const price = parsePrice(text)
  return price === undefined ? undefined : shortPrice(price)
}
const exact = (text: string): string | undefined => {
  const price = parsePrice(text)
  return price === undefined ? undefined : exactPrice(price)
}

describe('the price of a million tokens', () => {
  it('is the price of one, times 1,000,000, in its first five characters [ST-117]', () => {
    expect(short('0.00000003')).toBe('0.03')
    expect(short('0.000015')).toBe('15.00')
    expect(short('0.00000219')).toBe('2.19')
    expect(short('0.0001125')).toBe('112.5')
    expect(short('0.000000123456')).toBe('0.123')
    expect(short('0.0010005')).toBe('1000')
    expect(short('0')).toBe('0.00')
  })

  it('is exact where a floating point is not', () => {
    // 0.00000007 * 1_000_000 is 0.06999999999999999.
    expect(short('0.00000007')).toBe('0.07')
    expect(exact('0.000000069999999999')).toBe('0.069999999999')
    expect(exact('123456789.123456789')).toBe('123456789123456.789')
  })

  it('is read however the gateway writes it', () => {
    expect(exact('3e-8')).toBe('0.03')
    expect(exact('1.5E-5')).toBe('15.00')
    expect(exact('.000002')).toBe('2.00')
    expect(exact(' 2 ')).toBe('2000000.00')
    expect(exact('1e+1')).toBe('10000000.00')
  })

  it('is unknown where it depends on the question, or is no price', () => {
    for (const text of ['-1', '', 'cheap', '1,5', '0x10', '.', '1e', 'NaN', '1e9999'])
      expect(parsePrice(text), text).toBeUndefined()
    expect(parsePrice(undefined)).toBeUndefined()
    expect(parsePrice('-0')).toBe(0n)
  })
})
