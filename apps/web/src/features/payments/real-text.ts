import { formatCents, parseCents } from '@parley/contract/money'

/** `R$ 136.50`, with the decimal separator of the language. */
export function realText(amount: string, language: string): string {
  const cents = parseCents(amount)
  if (cents === undefined) return ''
  // Decimal text is formatted exactly, without conversion to a number.
  const decimal = formatCents(cents) as `${number}`
  return `R$\u00a0${new Intl.NumberFormat(language, { minimumFractionDigits: 2 }).format(decimal)}`
}
