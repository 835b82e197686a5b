import fc from 'fast-check'
import { expect, it } from 'vitest'
import { nanoDollars, readChunk } from './gateway-chunk'

it('turns dollars into whole nano-dollars without a binary fraction, rounded up', () => {
  expect(nanoDollars(0.0000047)).toBe(4700n)
  expect(nanoDollars(0.1)).toBe(100_000_000n)
  expect(nanoDollars('1.0000000001')).toBe(1_000_000_001n)
  expect(nanoDollars(1e-12)).toBe(1n)
  expect(nanoDollars(0)).toBe(0n)
  expect(nanoDollars(12)).toBe(12_000_000_000n)
  for (const bad of [-1, Number.NaN, Number.POSITIVE_INFINITY, 'free', null, undefined, {}, '1e9999']) expect(nanoDollars(bad)).toBeUndefined()
})

it('keeps every amount of nine decimals exactly', () => {
  fc.assert(
    fc.property(fc.bigInt(0n, 10n ** 15n), (nanos) => {
      const digits = String(nanos).padStart(10, '0')
      expect(nanoDollars(Number(`${digits.slice(0, -9)}.${digits.slice(-9)}`))).toBe(nanos)
    }),
  )
})

it('reads any JSON without failing, and takes only what it knows', () => {
  fc.assert(fc.property(fc.json(), (json) => void readChunk(json)))
  expect(readChunk('{"choices":[{"delta":{"content":"hi","reasoning":"hm"},"finish_reason":null}]}')).toEqual({
    text: 'hi',
    finishReason: undefined,
    usage: undefined,
    error: undefined,
  })
})
