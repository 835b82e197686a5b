const format = new Intl.DateTimeFormat('en-GB', { day: '2-digit', month: '2-digit', year: 'numeric' })

/** dd/MM/yyyy in every language (document 3, section 2). */
export function invoiceDate(time: string): string {
  return format.format(new Date(time))
}
