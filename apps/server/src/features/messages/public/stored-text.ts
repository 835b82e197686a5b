// People and models write U+0000 and unpaired surrogates, which PostgreSQL cannot store in a text column: such a text
// is stored as JSON behind a mark.
const mark = '\u0001'

export function toStored(text: string): string {
  return isStorable(text) && !text.startsWith(mark) ? text : `${mark}${JSON.stringify(text)}`
}

export const storedOrNull = (text: string | null | undefined): string | null =>
  text === null || text === undefined ? null : toStored(text)

export function fromStored(stored: string): string {
  return stored.startsWith(mark) ? String(JSON.parse(stored.slice(mark.length))) : stored
}

/** Whether PostgreSQL can store the text as it is. No row has an id for which this is false. */
export function isStorable(text: string): boolean {
  // With the u flag \p{Cs} matches only unpaired surrogates.
  return !/[\0\p{Cs}]/u.test(text)
}
