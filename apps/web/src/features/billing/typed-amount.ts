type Typed = { value: string; isUnreadable: boolean }

/** What stands in the amount field after somebody typed: nothing is 0, and what is no amount (a minus, a letter) leaves it as it was. */
export function typedAmount(before: string, { value, isUnreadable }: Typed): string {
  if (isUnreadable) return before
  if (value === '') return '0'
  return /^\d{1,9}(\.\d{0,9})?$/.test(value) ? value.replace(/^0+(?=\d)/, '') : before
}

/** As an address or another part of the app gives it. */
export function startAmount(amount: number | undefined): string {
  return amount === undefined ? '0' : typedAmount('0', { value: String(amount), isUnreadable: false })
}
