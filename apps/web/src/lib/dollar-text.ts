// Amounts in a person's language: `$1,234.50`, `US$ 1.234,50`, `1234,50 US$`.
import { directionOf, languageOf } from '@parley/contract/languages'
import { dollars, floorDollars, formatDollars, type Nano, negated, noMoney, parseDollars } from '@parley/contract/money'

const cents = 2
const significantDigits = 2
const mostDecimals = 9

/** Cut off after so many decimals: nobody is shown more than they have. */
export function flooredDollars(amount: Nano, { decimals, language }: { decimals: number; language: string }): string {
  return inDollars(floorDollars(amount, decimals), { language, least: decimals })
}

/** Whole cents, as what is bought and paid is counted. Empty for what is no amount. */
export function paidDollars(amount: number, language: string): string {
  const exact = parseDollars(amount)
  return exact === undefined ? '' : flooredDollars(exact, { decimals: cents, language })
}

/** What something cost: rounded up to cents, or for less than ten of them to two significant digits. */
export function costText(amount: Nano, language: string): string {
  const zeros = /^0\.(0*)/.exec(formatDollars(amount))?.[1]?.length
  const decimals = zeros === undefined ? cents : Math.max(cents, zeros + significantDigits)
  // Below zero, down is up.
  const text = floorDollars(negated(amount), Math.min(decimals, mostDecimals)).replace('-', '')
  return inDollars(text, { language })
}

const spentDecimals = 4
const leastSpent = dollars('0.0001')

/** A sum of costs, never more than it is: `$0.0421`, `<$0.0001`. */
export function spentDollars(amount: Nano, language: string): string {
  const isTiny = amount > noMoney && amount < leastSpent
  return `${isTiny ? '<' : ''}${flooredDollars(isTiny ? leastSpent : amount, { decimals: spentDecimals, language })}`
}

/** A decimal of JSON in full, with at least cents: `$25.00`, `−$0.0042`. */
export function exactDollars(decimal: string, language: string): string {
  return inDollars(decimal, { language })
}

/** A decimal with the digits that it is written with, and no others: `$0.123`, `$112.5`, `$1,000`. */
export function writtenDollars(decimal: string, language: string): string {
  return inDollars(decimal, { language, least: decimal.split('.')[1]?.length ?? 0 })
}

/** As `exactDollars`, with a sign in any case: `+$25.00`. */
export function movedDollars(decimal: string, language: string): string {
  return inDollars(decimal, { language, signDisplay: 'always' })
}

/** Without cents where there are none: `$10,000`, `$0.50`. */
export function roundDollars(amount: number, language: string): string {
  return inDollars(String(amount), { language, least: Number.isInteger(amount) ? 0 : cents })
}

/** An amount of a token, with the digits that it is written with: `1,333.3334`, `1.333,3334`. */
export function tokenText(decimal: string, language: string): string {
  const digits = decimal.split('.')[1]?.length ?? 0
  return new Intl.NumberFormat(language, { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(
    decimal as `${number}`,
  )
}

type Spelling = { language: string; least?: number; signDisplay?: 'auto' | 'always' }

/** Digits beyond the `least` ones are shown as far as they are written. */
function inDollars(decimal: string, { language, least = cents, signDisplay = 'auto' }: Spelling): string {
  // A decimal in writing is formatted exactly, without becoming a number on the way.
  const text = formatOf(language, least, signDisplay)
    .format(decimal as `${number}`)
    .replace('-', '−')
  return directionOf(languageOf(language)) === 'rtl' ? leftToRight(text) : text
}

/** By language, digits and sign: a list of models has hundreds of prices, and making one takes longer than its use. */
const formats = new Map<string, Intl.NumberFormat>()

function formatOf(language: string, least: number, signDisplay: 'auto' | 'always'): Intl.NumberFormat {
  const key = `${language} ${least} ${signDisplay}`
  const format =
    formats.get(key) ??
    new Intl.NumberFormat(language, {
      style: 'currency',
      currency: 'USD',
      minimumFractionDigits: least,
      maximumFractionDigits: 18,
      signDisplay,
    })
  formats.set(key, format)
  return format
}

/** Set apart from the line around it, in which `US$` would come out as `$US`. */
const leftToRight = (text: string): string => `\u2066${text.replace(/[\u200e\u200f\u061c]/g, '')}\u2069`
