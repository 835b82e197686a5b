/**
 * Money: the only file that computes with it. Amounts are bigints at run time and opaque as types, so that `a + b`
 * anywhere else does not compile; comparing (`a < b`, `a === b`) does, and is exact. Nothing here ever is a
 * floating-point number but what leaves by `toNumber`.
 */
import * as z from 'zod/mini'

declare const unit: unique symbol
/** Whole nano-dollars: what is held, charged, granted and stored. */
export type Nano = { readonly [unit]: 'nano-dollars' }
/** What something costs, not rounded yet: it is rounded once, by `charge`. */
export type Cost = { readonly [unit]: 'cost' }
/** Dollars per token, or per question. */
export type Price = { readonly [unit]: 'price' }
/** What a cost is multiplied with. */
export type Markup = { readonly [unit]: 'markup' }

/** How much of a dollar something else is worth: a currency's units for one dollar, or a token's price in dollars. */
export type Rate = { readonly [unit]: 'rate' }

/** Of tokens; `request`: once for each question, whatever its length. */
export type Prices = { prompt: Price; completion: Price; request?: Price | undefined }
export type TokenCount = { inputTokens: number; outputTokens: number }

const nanoDigits = 9
/** Digits behind the point of costs and prices: gateways write up to some twenty. */
const costDigits = 24
const markupDigits = 9
const rateDigits = 18
/** Of a token, what is shown and asked for. */
const tokenDigits = 4

/** One bigint column holds nine times as much. */
const mostDollars = 10n ** 9n
/** Per token. What is dearer is a mistake of the price list. */
const dearestToken = 1n
const highestMarkup = 1_000n
const highestRate = 10n ** 9n

export const noMoney = nano(0n)

/**
 * A person's or a program's amount of dollars, exactly; undefined when it is none: below 0, beyond a billion, finer
 * than a nano-dollar, not a number.
 */
export function parseDollars(value: unknown): Nano | undefined {
  const parsed = parseDecimal(value, nanoDigits, 'exact')
  return parsed === undefined || parsed > mostDollars * 10n ** BigInt(nanoDigits) ? undefined : nano(parsed)
}

/** The amount of a constant of this code. Throws RangeError when it is none. */
export function dollars(amount: number | string): Nano {
  const parsed = parseDollars(amount)
  if (parsed === undefined) throw new RangeError(`not an amount of money: ${amount}`)
  return parsed
}

/** The amount in full, as JSON carries it: `12`, `0.0000047`, `-3.5`. */
export function formatDollars(amount: Nano): string {
  return decimal(raw(amount), nanoDigits).replace(/\.?0+$/, '')
}

/** The amount floored to so many decimals: nobody is shown more than they have. */
export function floorDollars(amount: Nano, decimals: number): string {
  const step = 10n ** BigInt(nanoDigits - decimals)
  const value = raw(amount)
  const floored = value / step - (value < 0n && value % step !== 0n ? 1n : 0n)
  return decimal(floored, decimals)
}

/** For the one place where the API has a number. Its shortest text is the amount again, up to four million dollars. */
export function toNumber(amount: Nano): number {
  return Number(formatDollars(amount))
}

/**
 * An amount that is stored, which may be below zero: entries of a ledger are. Throws SyntaxError when it is not whole.
 */
export function storedNano(value: bigint | string): Nano {
  return nano(BigInt(value))
}

export function plus(a: Nano, b: Nano): Nano {
  return nano(raw(a) + raw(b))
}

export function minus(a: Nano, b: Nano): Nano {
  return nano(raw(a) - raw(b))
}

export function negated(amount: Nano): Nano {
  return nano(-raw(amount))
}

export function least(a: Nano, b: Nano): Nano {
  return raw(a) < raw(b) ? a : b
}

/** As much of an amount as `part` is of `whole`, rounded down; never more than all of it. */
export function share(amount: Nano, part: bigint, whole: bigint): Nano {
  return part >= whole ? amount : nano((raw(amount) * part) / whole)
}

/**
 * What a gateway asks for a token or a question; undefined where that is no price: -1 means that it depends on what is
 * asked.
 */
export function parsePrice(value: unknown): Price | undefined {
  const parsed = parseDecimal(value, costDigits, 'up')
  return parsed === undefined || parsed > dearestToken * 10n ** BigInt(costDigits)
    ? undefined
    : (parsed as unknown as Price)
}

/**
 * The prices of a model, as a list of them says it; undefined where one of them depends on what is asked, or is not
 * said.
 */
export function parsePrices({
  prompt: ofPrompt,
  completion: ofCompletion,
  request: ofRequest = '0',
}: WrittenPrices = {}): Prices | undefined {
  const [prompt, completion, request] = [parsePrice(ofPrompt), parsePrice(ofCompletion), parsePrice(ofRequest)]
  return prompt === undefined || completion === undefined || request === undefined
    ? undefined
    : { prompt, completion, request }
}
type WrittenPrices = { prompt?: string | undefined; completion?: string | undefined; request?: string | undefined }

/** Whether nothing is asked for, however long question and answer are. */
export function areNothing({ prompt, completion, request }: Prices): boolean {
  return rawPrice(prompt) === 0n && rawPrice(completion) === 0n && (request === undefined || rawPrice(request) === 0n)
}

/** What a gateway says that an answer cost it, in dollars. */
export function parseCost(value: unknown): Cost | undefined {
  const parsed = parseDecimal(value, costDigits, 'up')
  return parsed === undefined || parsed > mostDollars * 10n ** BigInt(costDigits) ? undefined : cost(parsed)
}

/** CREDIT_MARKUP: 1 charges what the gateway charges. */
export function parseMarkup(value: unknown): Markup | undefined {
  const parsed = parseDecimal(value, markupDigits, 'up')
  return parsed === undefined || parsed > highestMarkup * 10n ** BigInt(markupDigits)
    ? undefined
    : (parsed as unknown as Markup)
}

/** What an operator or a stored row says of a rate: above 0. */
export function parseRate(value: unknown): Rate | undefined {
  const parsed = parseDecimal(value, rateDigits, 'exact')
  return parsed === undefined || parsed === 0n || parsed > highestRate * 10n ** BigInt(rateDigits)
    ? undefined
    : (parsed as unknown as Rate)
}

/** The rate as it was given, without needless zeros. */
export function formatRate(rate: Rate): string {
  return decimal(rawRate(rate), rateDigits).replace(/\.?0+$/, '')
}

/** Whole cents, as payment providers count dollars; undefined where it is finer than that. */
export function toCents(amount: Nano): bigint | undefined {
  const step = 10n ** BigInt(nanoDigits - 2)
  return raw(amount) % step === 0n ? raw(amount) / step : undefined
}

/**
 * Hundredths of another currency, as a program of ours or a provider writes its units: `52.3`. Undefined where it is
 * finer, or no amount.
 */
export function parseCents(value: unknown): bigint | undefined {
  const parsed = parseDecimal(value, 2, 'exact')
  return parsed === undefined || parsed > mostDollars * 100n ? undefined : parsed
}

/** Hundredths with their point: `52.30`. */
export function formatCents(cents: bigint): string {
  return decimal(cents, 2)
}

/** What an amount is in hundredths of another currency, of which `rate` units are a dollar; rounded up. */
export function centsAt(amount: Nano, rate: Rate): bigint {
  return ceilDivide(raw(amount) * rawRate(rate) * 100n, 10n ** BigInt(nanoDigits + rateDigits))
}

/**
 * How many of a token that costs `price` dollars are worth an amount, rounded up to what is shown of them, in full:
 * `12.3450`.
 */
export function tokensAt(amount: Nano, price: Rate): string {
  return decimal(
    ceilDivide(raw(amount) * 10n ** BigInt(rateDigits + tokenDigits - nanoDigits), rawRate(price)),
    tokenDigits,
  )
}

/** Throws RangeError for token counts that are not whole and 0 or more. */
export function costOf({ inputTokens, outputTokens }: TokenCount, prices: Prices): Cost {
  return cost(questionCost(inputTokens, prices) + wholeTokens(outputTokens) * rawPrice(prices.completion))
}

/**
 * What a person pays for a cost: the one rounding on the whole way, up to the next nano-dollar. At most a billion
 * dollars: what is more does not fit a ledger.
 */
export function charge(of: Cost, markup: Markup): Nano {
  const exact = (of as unknown as bigint) * (markup as unknown as bigint)
  return least(
    nano(ceilDivide(exact, 10n ** BigInt(costDigits + markupDigits - nanoDigits))),
    nano(mostDollars * 10n ** BigInt(nanoDigits)),
  )
}

/** A cost that is shown and stored, where nobody is charged for it. */
export function rounded(of: Cost): Nano {
  return nano(ceilDivide(of as unknown as bigint, 10n ** BigInt(costDigits - nanoDigits)))
}

/**
 * How many tokens of an answer `budget` pays for, after the question; 0 when it does not even pay for that. `most`
 * where completions cost nothing. A charge for as many is never above the budget.
 */
export function affordableTokens({ budget, inputTokens, prices, markup, most }: AffordableRequest): number {
  const scaled = raw(budget) * 10n ** BigInt(costDigits + markupDigits - nanoDigits)
  const left = scaled - questionCost(inputTokens, prices) * (markup as unknown as bigint)
  const each = rawPrice(prices.completion) * (markup as unknown as bigint)
  if (left < 0n) return 0
  if (each === 0n) return most
  const tokens = left / each
  return tokens > BigInt(most) ? most : Number(tokens)
}
type AffordableRequest = { budget: Nano; inputTokens: number; prices: Prices; markup: Markup; most: number }

/** An amount in JSON: a decimal string of dollars, below zero where money went. */
export const DollarText = z.string().check(z.regex(/^-?\d+(\.\d{1,9})?$/))

function nano(value: bigint): Nano {
  return value as unknown as Nano
}
function raw(amount: Nano): bigint {
  return amount as unknown as bigint
}
function cost(value: bigint): Cost {
  return value as unknown as Cost
}
function rawPrice(price: Price): bigint {
  return price as unknown as bigint
}
function rawRate(rate: Rate): bigint {
  return rate as unknown as bigint
}

function questionCost(inputTokens: number, { prompt, request }: Prices): bigint {
  return wholeTokens(inputTokens) * rawPrice(prompt) + (request === undefined ? 0n : rawPrice(request))
}

function wholeTokens(count: number): bigint {
  if (!Number.isSafeInteger(count) || count < 0) throw new RangeError(`not a number of tokens: ${count}`)
  return BigInt(count)
}

function ceilDivide(value: bigint, by: bigint): bigint {
  return (value + by - 1n) / by
}

/**
 * Digits, a point, an exponent: how people write amounts and how JavaScript writes numbers. No sign: nothing here is
 * below zero.
 */
const written = /^(\d{1,40})(?:\.(\d{1,60}))?(?:e([+-]?\d{1,3}))?$/i

/** A number's shortest text is what was written, so no binary fraction comes into it. */
function parseDecimal(value: unknown, digits: number, rounding: 'exact' | 'up'): bigint | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  const parts = written.exec(String(value))
  if (!parts) return undefined
  const [, whole = '', fraction = '', exponent = '0'] = parts
  const all = BigInt(whole + fraction)
  const shift = digits + Number(exponent) - fraction.length
  if (shift >= 0) return all * 10n ** BigInt(shift)
  const by = 10n ** BigInt(-shift)
  return rounding === 'exact' && all % by !== 0n ? undefined : ceilDivide(all, by)
}

/** Always with a point and so many digits behind it, unless they are none. */
function decimal(value: bigint, digits: number): string {
  const text = String(value < 0n ? -value : value).padStart(digits + 1, '0')
  const sign = value < 0n ? '-' : ''
  return digits === 0 ? `${sign}${text}` : `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`
}
