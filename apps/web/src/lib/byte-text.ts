const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const
const step = 1024

/** `96 kB`, `1.2 MB`: as the limits count, 1024 bytes are a kilobyte. Rounded up, so that what is too large says so. */
export function byteText(bytes: number, language: string): string {
  let value = bytes
  let unit = 0
  while (value >= step && unit < units.length - 1) {
    value /= step
    unit += 1
  }
  const digits = value < 10 && unit > 0 ? 1 : 0
  // A float that is a hair above a whole number is that number.
  const rounded = Math.max(0, Math.ceil(value * 10 ** digits - 1e-9)) / 10 ** digits
  return new Intl.NumberFormat(language, {
    style: 'unit',
    unit: units[unit],
    unitDisplay: unit === 0 ? 'long' : 'short',
    maximumFractionDigits: digits,
  }).format(rounded)
}
