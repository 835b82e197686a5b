// Prices as the gateway writes them, in exact decimals: numbers with a floating point would show 0.06999999 for 0.07.

/** Digits behind the point that count. Gateways write up to some twenty. */
const scale = 24
/** Tokens that a shown price is for. */
const shownTokensExponent = 6
const shownLength = 5
const fewestDecimals = 2

const pattern = /^(-?)(\d+)?(?:\.(\d+))?(?:e([+-]?\d{1,3}))?$/i

/** Dollars per token, as a decimal string with or without an exponent, in 10⁻²⁴ dollars; undefined when it is no price. */
export function parsePrice(text: string | undefined): bigint | undefined {
  const match = pattern.exec(text?.trim() ?? '')
  if (!match || (match[2] === undefined && match[3] === undefined)) return undefined
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match
  const zeros = scale - fraction.length + Number(exponent)
  const digits = BigInt(whole + fraction)
  const value = zeros >= 0 ? digits * 10n ** BigInt(zeros) : digits / 10n ** BigInt(-zeros)
  // Below zero means that it depends on what is asked.
  return sign === '-' && value > 0n ? undefined : value
}

/** Dollars for a million tokens, in full: at least two decimals, no more than needed. */
export function exactPrice(price: bigint): string {
  const digits = price.toString().padStart(scale + 1, '0')
  const pointAt = digits.length - scale + shownTokensExponent
  const fraction = digits.slice(pointAt).replace(/0+$/, '')
  return `${digits.slice(0, pointAt).replace(/^0+(?=\d)/, '')}.${fraction.padEnd(fewestDecimals, '0')}`
}

/** Dollars for a million tokens, in at most five characters. */
export function shortPrice(price: bigint): string {
  const exact = exactPrice(price)
  const [whole = ''] = exact.split('.')
  // A price is never cut to a smaller one.
  return exact.slice(0, Math.max(shownLength, whole.length)).replace(/\.$/, '')
}
