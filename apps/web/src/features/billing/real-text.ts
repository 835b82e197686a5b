import { formatCents, parseCents } from '@parley/contract/money'

/** `R$ 136.50`, with the language's own point. */
export function realText(amount: string, language: string): string {
  const cents = parseCents(amount)
  if (cents === undefined) return ''
  // A decimal in writing is formatted exactly, without becoming a number on the way.
  const decimal = formatCents(cents) as `${number}`
  return `R$\u00a0${new Intl.NumberFormat(language, { minimumFractionDigits: 2 }).format(decimal)}`
}
