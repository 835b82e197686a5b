// Prices as the gateway writes them, in exact decimals: floating-point numbers would show 0.06999999 for 0.07.

/** The number of decimals. Gateways write up to about twenty. */
const scale = 24
/** A displayed price is for ten to this power of tokens. */
const displayTokensExponent = 6
const displayLength = 5
const fewestDecimals = 2

const pattern = /^(-?)(\d+)?(?:\.(\d+))?(?:e([+-]?\d{1,3}))?$/i

/**
 * Parses dollars per token, a decimal string with or without an exponent, to units of 10⁻²⁴ dollars; undefined when it
 * is no price.
 */
export function parsePrice(text: string | undefined): bigint | undefined {
  const match = pattern.exec(text?.trim() ?? '')
  if (!match || (match[2] === undefined && match[3] === undefined)) return undefined
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match
  const zeros = scale - fraction.length + Number(exponent)
  const digits = BigInt(whole + fraction)
  const value = zeros >= 0 ? digits * 10n ** BigInt(zeros) : digits / 10n ** BigInt(-zeros)
  // A negative price means that it depends on the question.
  return sign === '-' && value > 0n ? undefined : value
}

/** Dollars for a million tokens, in full: at least two decimals, no more than needed. */
export function exactPrice(price: bigint): string {
  const digits = price.toString().padStart(scale + 1, '0')
  const pointAt = digits.length - scale + displayTokensExponent
  const fraction = digits.slice(pointAt).replace(/0+$/, '')
  return `${digits.slice(0, pointAt).replace(/^0+(?=\d)/, '')}.${fraction.padEnd(fewestDecimals, '0')}`
}

/** Dollars for a million tokens, in at most five characters. */
export function shortPrice(price: bigint): string {
  const exact = exactPrice(price)
  const [whole = ''] = exact.split('.')
  // The whole dollars are never truncated.
  return exact.slice(0, Math.max(displayLength, whole.length)).replace(/\.$/, '')
}
