import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  affordableTokens,
  centsAt,
  charge,
  costOf,
  dollars,
  floorDollars,
  formatCents,
  formatDollars,
  formatRate,
  least,
  type Markup,
  minus,
  type Nano,
  negated,
  noMoney,
  type Price,
  parseCents,
  parseCost,
  parseDollars,
  parseMarkup,
  parsePrice,
  parseRate,
  plus,
  type Rate,
  storedNano,
  toCents,
  tokensAt,
  toNumber,
} from './money'

const amounts = fc.bigInt(0n, 10n ** 18n).map((value) => storedNano(value))
const signed = fc.bigInt(-(10n ** 18n), 10n ** 18n).map((value) => storedNano(value))

/** A value that must be there. */
function sure<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('expected a value')
  return value
}
const price = (text: string): Price => sure(parsePrice(text))
const markup = (text: string): Markup => sure(parseMarkup(text))

const nonsense = [
  Number.NaN,
  Number.POSITIVE_INFINITY,
  -1,
  '-0.01',
  '1e400',
  1e300,
  'NaN',
  'Infinity',
  'five',
  '',
  ' 1',
  '1,5',
  '0x10',
  '1_000',
  '１',
  '+1',
  '.5',
  '5.',
  '1e',
  null,
  undefined,
  {},
  [5],
  true,
  5n,
]

describe('amounts of dollars', () => {
  it('are read exactly, as people and as JavaScript write them', () => {
    const read = ['5', '0.000000001', '12.5', 0.1, 1e-9, 10_000, '1e3', '007'].map((value) =>
      formatDollars(sure(parseDollars(value))),
    )
    expect(read).toEqual(['5', '0.000000001', '12.5', '0.1', '0.000000001', '10000', '1000', '7'])
  })

  it('are refused when they are no amount, negative, too large or finer than a nano-dollar', () => {
    for (const bad of nonsense) expect(parseDollars(bad), String(bad)).toBeUndefined()
    for (const bad of ['0.0000000001', '1e-10', '1000000000.000000001', '9'.repeat(40)])
      expect(parseDollars(bad), bad).toBeUndefined()
    expect(parseDollars('1000000000')).toBeDefined()
    expect(() => dollars('a lot')).toThrow(RangeError)
  })

  it('of any kind are read or refused, never thrown at', () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        parseDollars(value)
        parseCost(value)
        parsePrice(value)
        parseMarkup(value)
      }),
    )
  })

  it('come back from their text and from their number as they were', () => {
    fc.assert(fc.property(amounts, (amount) => void expect(parseDollars(formatDollars(amount))).toBe(amount)))
    // What a number can hold: four million dollars to the nano-dollar.
    const held = fc.bigInt(0n, 4n * 10n ** 15n).map((value) => storedNano(value))
    fc.assert(fc.property(held, (amount) => void expect(parseDollars(toNumber(amount))).toBe(amount)))
  })

  it('are shown floored, never rounded up [CH-149, ST-030]', () => {
    const nearly = dollars('4.999999999')
    expect([2, 4, 5, 9, 0].map((decimals) => floorDollars(nearly, decimals))).toEqual([
      '4.99',
      '4.9999',
      '4.99999',
      '4.999999999',
      '4',
    ])
    expect(floorDollars(noMoney, 2)).toBe('0.00')
    expect(floorDollars(dollars('0.0099'), 2)).toBe('0.00')
    expect(floorDollars(negated(dollars('0.001')), 2)).toBe('-0.01')
    expect(formatDollars(negated(dollars('3.5')))).toBe('-3.5')
    fc.assert(
      fc.property(
        amounts,
        fc.integer({ min: 0, max: 9 }),
        (amount, decimals) => sure(parseDollars(floorDollars(amount, decimals))) <= amount,
      ),
    )
  })

  it('add up', () => {
    fc.assert(
      fc.property(signed, signed, (a, b) => {
        expect(minus(plus(a, b), b)).toBe(a)
        expect(plus(a, negated(a))).toBe(noMoney)
        expect(least(a, b) <= a && least(a, b) <= b).toBe(true)
      }),
    )
  })
})

describe('charges', () => {
  it('are the cost times the markup, rounded up once', () => {
    const reported = sure(parseCost(0.0000047))
    expect(formatDollars(charge(reported, markup('1')))).toBe('0.0000047')
    // Rounding the cost first would make 2.
    expect(charge(sure(parseCost('0.0000000011')), markup('0.9'))).toBe(storedNano(1n))
    expect(charge(sure(parseCost('1e-24')), markup('1'))).toBe(storedNano(1n))
    expect(charge(sure(parseCost(0)), markup('3'))).toBe(noMoney)
    // More would not fit the ledger's column.
    expect(charge(sure(parseCost(10 ** 9)), markup('1000'))).toBe(dollars(10 ** 9))
  })

  it('of tokens are exact for prices below a nano-dollar', () => {
    const prices = { prompt: price('0.0000000375'), completion: price('0.00000015') }
    expect(formatDollars(charge(costOf({ inputTokens: 3, outputTokens: 2 }, prices), markup('1')))).toBe('0.000000413')
    expect(charge(costOf({ inputTokens: 0, outputTokens: 0 }, prices), markup('1'))).toBe(noMoney)
    expect(
      formatDollars(
        charge(costOf({ inputTokens: 3, outputTokens: 2 }, { ...prices, request: price('0.005') }), markup('2')),
      ),
    ).toBe('0.010000825')
    for (const inputTokens of [-1, 0.5, Number.NaN, 2 ** 60])
      expect(() => costOf({ inputTokens, outputTokens: 0 }, prices)).toThrow(RangeError)
  })

  it('are never below the cost and never a nano-dollar above it', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 10n ** 24n), (value) => {
        const exact = sure(parseCost(`0.${String(value).padStart(24, '0').slice(-24)}`))
        const charged = charge(exact, markup('1'))
        const upper = sure(parseCost(formatDollars(charged)))
        expect(upper >= exact).toBe(true)
        expect(charged === noMoney || sure(parseCost(formatDollars(minus(charged, storedNano(1n))))) < exact).toBe(true)
      }),
    )
  })

  it('know no price that depends, is negative or dearer than a dollar a token', () => {
    for (const bad of [...nonsense, '-1', 2, '1.0000000001']) expect(parsePrice(bad), String(bad)).toBeUndefined()
    for (const bad of [...nonsense, 1_001]) expect(parseMarkup(bad), String(bad)).toBeUndefined()
    expect(parsePrice('0')).toBeDefined()
  })

  it('of as many tokens as a budget pays for are never above it, and one token more would be', () => {
    const prices = fc.record({ prompt: fc.bigInt(0n, 10n ** 20n), completion: fc.bigInt(1n, 10n ** 20n) })
    const token = (value: bigint): Price => price(`0.${String(value).padStart(24, '0')}`)
    fc.assert(
      fc.property(
        fc.bigInt(0n, 10n ** 11n),
        fc.nat(100_000),
        prices,
        fc.constantFrom('1', '1.25', '0.3'),
        (cents, inputTokens, given, times) => {
          const budget = storedNano(cents)
          const each = { prompt: token(given.prompt), completion: token(given.completion) }
          const outputTokens = affordableTokens({
            budget,
            inputTokens,
            prices: each,
            markup: markup(times),
            most: 10 ** 9,
          })
          const charged = (tokens: number): Nano =>
            charge(costOf({ inputTokens, outputTokens: tokens }, each), markup(times))
          if (outputTokens > 0) expect(charged(outputTokens) <= budget).toBe(true)
          if (outputTokens < 10 ** 9) expect(charged(outputTokens + 1) > budget).toBe(true)
        },
      ),
    )
    const free = { prompt: price('0'), completion: price('0') }
    expect(affordableTokens({ budget: noMoney, inputTokens: 10, prices: free, markup: markup('1'), most: 4_096 })).toBe(
      4_096,
    )
  })
})

describe('other units', () => {
  const rate = (value: string): Rate => sure(parseRate(value))

  it('are cents, where an amount is whole cents', () => {
    expect(toCents(dollars('12.34'))).toBe(1_234n)
    expect(toCents(dollars(10_000))).toBe(1_000_000n)
    expect(toCents(dollars('0.001'))).toBeUndefined()
    expect(formatCents(5_230n)).toBe('52.30')
    for (const written of [52.3, '52.3', '52.30']) expect(parseCents(written)).toBe(5_230n)
    for (const bad of [...nonsense, '52.301']) expect(parseCents(bad), String(bad)).toBeUndefined()
  })

  it('of a currency or a token are never worth less than the amount, and less by one unit would be', () => {
    expect(centsAt(dollars(10), rate('5.231'))).toBe(5_231n)
    expect(centsAt(dollars('0.01'), rate('5.231'))).toBe(6n)
    expect(tokensAt(dollars(10), rate('0.03'))).toBe('333.3334')
    expect(tokensAt(dollars(10), rate('0.04'))).toBe('250.0000')
    fc.assert(
      fc.property(fc.integer({ min: 100, max: 1_000_000 }), fc.bigInt(1n, 10n ** 12n), (cents, millionths) => {
        const amount = dollars((cents / 100).toFixed(2))
        const text = `${millionths / 1_000_000n}.${String(millionths % 1_000_000n).padStart(6, '0')}`
        const asked = centsAt(amount, rate(text))
        expect(
          asked * 1_000_000n >= BigInt(cents) * millionths && (asked - 1n) * 1_000_000n < BigInt(cents) * millionths,
        ).toBe(true)
        const tokens = BigInt(tokensAt(amount, rate(text)).replace('.', ''))
        const worth = (units: bigint): bigint => units * millionths
        expect(worth(tokens) >= BigInt(cents) * 10n ** 8n && worth(tokens - 1n) < BigInt(cents) * 10n ** 8n).toBe(true)
      }),
    )
  })

  it('have rates above zero only', () => {
    for (const bad of [...nonsense, '0', '0.0', '-1', '1e10']) expect(parseRate(bad), String(bad)).toBeUndefined()
    expect(formatRate(rate('5.2310'))).toBe('5.231')
  })
})

describe('the fence around money', () => {
  it('lets no other file compute with it: that does not compile', () => {
    const [a, b] = [dollars(1), dollars(2)]
    const wrong = [
      // @ts-expect-error arithmetic is this module's business
      () => a + b,
      // @ts-expect-error
      () => a - b,
      // @ts-expect-error
      () => a * 2n,
      // @ts-expect-error
      () => a / b,
      // @ts-expect-error nor does a plain number pass for money
      (): Nano => 5n,
      // @ts-expect-error
      (): bigint => a,
      // @ts-expect-error a price is not an amount
      (): Nano => parsePrice('1') ?? a,
    ]
    expect(wrong).toHaveLength(7)
    expect(a < b).toBe(true)
  })
})
