// PostgreSQL keeps neither U+0000 nor half a surrogate pair in a text, people and models write both: such a text is kept as JSON behind a mark.
const mark = '\u0001'

export function toStored(text: string): string {
  return isStorable(text) && !text.startsWith(mark) ? text : `${mark}${JSON.stringify(text)}`
}

export function fromStored(stored: string): string {
  return stored.startsWith(mark) ? String(JSON.parse(stored.slice(mark.length))) : stored
}

/** Whether the database can keep it as it is: an id that it cannot is nobody's. */
export function isStorable(text: string): boolean {
  // With the u flag only halves without their other half are surrogates.
  return !/[\0\p{Cs}]/u.test(text)
}
