/** Without capitals and accents. */
export function fold(text: string): string {
  const lower = text.toLowerCase()
  // Most words have no accents, and normalising is slow.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII
  return /^[\u0000-\u007f]*$/.test(lower) ? lower : lower.normalize('NFKD').replace(/\p{M}+/gu, '')
}
