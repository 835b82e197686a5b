type AmountInput = { value: string; isUnreadable: boolean }

/**
 * The text of the amount field after a change: an empty field becomes 0, and invalid input (a minus, a letter) is
 * ignored.
 */
export function typedAmount(before: string, { value, isUnreadable }: AmountInput): string {
  if (isUnreadable) return before
  if (value === '') return '0'
  return /^\d{1,9}(\.\d{0,9})?$/.test(value) ? value.replace(/^0+(?=\d)/, '') : before
}

/** The initial text for an amount given by a URL or another part of the app. */
export function startAmount(amount: number | undefined): string {
  return amount === undefined ? '0' : typedAmount('0', { value: String(amount), isUnreadable: false })
}
