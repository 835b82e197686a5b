import { dollars, negated, noMoney } from '@parley/contract/money'
import { describe, expect, it } from 'vitest'
import {
  costText,
  exactDollars,
  flooredDollars,
  movedDollars,
  paidDollars,
  roundDollars,
  spentDollars,
  tokenText,
  writtenDollars,
} from './dollar-text'

/** Languages put a space into amounts that does not break. */
const plain = (text: string) => text.replaceAll('\u00a0', ' ')

it.each([
  ['en-US', '$1,234,567.48', '$0.0042', '−$0.0042'],
  ['pt-BR', 'US$ 1.234.567,48', 'US$ 0,0042', '−US$ 0,0042'],
  ['es-ES', '1.234.567,48 US$', '0,0042 US$', '−0,0042 US$'],
  ['fil-PH', '$1,234,567.48', '$0.0042', '−$0.0042'],
  ['ar', '\u20661,234,567.48 US$\u2069', '\u20660.0042 US$\u2069', '\u2066−0.0042 US$\u2069'],
])('dollars are written as %s writes them', (language, large, small, negative) => {
  expect(plain(flooredDollars(dollars('1234567.489999999'), { decimals: 2, language }))).toBe(large)
  expect(plain(costText(dollars('0.0042'), language))).toBe(small)
  expect(plain(exactDollars('-0.0042', language))).toBe(negative)
})

it.each([
  ['en-US', ['$0.123', '$112.5', '$1,000', '$0.00']],
  ['pt-BR', ['US$ 0,123', 'US$ 112,5', 'US$ 1.000', 'US$ 0,00']],
  ['es-ES', ['0,123 US$', '112,5 US$', '1000 US$', '0,00 US$']],
])('a price keeps the digits it is written with, as %s writes numbers [ST-117]', (language, texts) => {
  expect(['0.123', '112.5', '1000', '0.00'].map((decimal) => plain(writtenDollars(decimal, language)))).toEqual(texts)
})

describe('an amount', () => {
  it.each([
    [2, '$12.48'],
    [4, '$12.4899'],
    [5, '$12.48999'],
  ])('is cut off after %i decimals, and never rounded up [CH-149, ST-030]', (decimals, text) => {
    expect(flooredDollars(dollars('12.489999999'), { decimals, language: 'en-US' })).toBe(text)
    expect(flooredDollars(noMoney, { decimals, language: 'en-US' })).toBe(`$0.${'0'.repeat(decimals)}`)
  })

  it('below zero is cut off downwards as well', () => {
    expect(flooredDollars(negated(dollars('0.001')), { decimals: 2, language: 'en-US' })).toBe('−$0.01')
  })

  it('that was paid has cents', () => {
    expect([25, 0.5, 10_000, Number.NaN].map((amount) => paidDollars(amount, 'en-US'))).toEqual([
      '$25.00',
      '$0.50',
      '$10,000.00',
      '',
    ])
  })

  it('that can be chosen has cents where there are some', () => {
    expect([5, 0.5, 10_000].map((amount) => roundDollars(amount, 'en-US'))).toEqual(['$5', '$0.50', '$10,000'])
  })
})

it.each([
  ['1.230000001', '$1.24'],
  ['0.35', '$0.35'],
  ['0.042', '$0.042'],
  ['0.0420001', '$0.043'],
  ['0.00421', '$0.0043'],
  ['0.05', '$0.05'],
  ['0.000000001', '$0.000000001'],
])('a cost of %s is rounded up to cents, or below ten of them to two digits', (amount, text) => {
  expect(costText(dollars(amount), 'en-US')).toBe(text)
})

it.each([
  ['0', '$0.0000'],
  ['0.00009', '<$0.0001'],
  ['0.04219', '$0.0421'],
  ['12', '$12.0000'],
])('a sum of %s that was spent is never shown as more, and never as nothing', (amount, text) => {
  expect(spentDollars(dollars(amount), 'en-US')).toBe(text)
})

it('movements are exact to the last digit, with their sign', () => {
  expect(['25', '-0.000000042', '1234567.000000001'].map((text) => movedDollars(text, 'en-US'))).toEqual([
    '+$25.00',
    '−$0.000000042',
    '+$1,234,567.000000001',
  ])
})

it('an amount of the token has the digits that it is written with', () => {
  expect(['en-US', 'pt-BR', 'es-ES'].map((language) => tokenText('333.3334', language))).toEqual([
    '333.3334',
    '333,3334',
    '333,3334',
  ])
  expect(tokenText('133333.3334', 'pt-BR')).toBe('133.333,3334')
  expect(tokenText('400.0000', 'en-US')).toBe('400.0000')
})
