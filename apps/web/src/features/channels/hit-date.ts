const formats = new Map<string, Intl.DateTimeFormat>()

/** The time of today, the day of this year, or the whole date: the shortest clear form. Empty for an invalid date. */
export function shortDate(iso: string, today: Date, language: string): string {
  const date = new Date(iso)
  if (Number.isNaN(date.getTime())) return ''
  if (date.toDateString() === today.toDateString()) return format(language, { timeStyle: 'short' }).format(date)
  const options: Intl.DateTimeFormatOptions =
    date.getFullYear() === today.getFullYear() ? { day: 'numeric', month: 'short' } : { dateStyle: 'short' }
  return format(language, options).format(date)
}

/** Cached: creating a formatter takes longer than a hundred uses. */
function format(language: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${language} ${Object.keys(options).join()}`
  const known = formats.get(key) ?? new Intl.DateTimeFormat(language, options)
  formats.set(key, known)
  return known
}
