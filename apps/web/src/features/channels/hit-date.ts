const formats = new Map<string, Intl.DateTimeFormat>()

/** The time of today, the day of this year, or the whole date: as short as it can be. Nothing for a moment that is none. */
export function shortDate(iso: string, today: Date, language: string): string {
  const date = new Date(iso)
  if (Number.isNaN(date.getTime())) return ''
  if (date.toDateString() === today.toDateString()) return format(language, { timeStyle: 'short' }).format(date)
  const options: Intl.DateTimeFormatOptions = date.getFullYear() === today.getFullYear() ? { day: 'numeric', month: 'short' } : { dateStyle: 'short' }
  return format(language, options).format(date)
}

/** To make one takes longer than to use it a hundred times. */
function format(language: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${language} ${Object.keys(options).join()}`
  const known = formats.get(key) ?? new Intl.DateTimeFormat(language, options)
  formats.set(key, known)
  return known
}
