export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

/**
 * The one spelling of a value: no blanks, the keys of objects by their code units, whole numbers alone. Two values are
 * the same exactly when their spellings are, so a digest of the spelling stands for the value. RFC 8785 for what it
 * takes; throws RangeError for any other number.
 */
export function canonicalJson(value: Json): string {
  if (typeof value === 'number' && !Number.isSafeInteger(value))
    throw new RangeError('a number that is not whole has no single spelling')
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  if (isList(value)) return `[${value.map(canonicalJson).join(',')}]`
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([key, entry]) => `${JSON.stringify(key)}:${canonicalJson(entry)}`).join(',')}}`
}

const isList = (value: readonly Json[] | { readonly [key: string]: Json }): value is readonly Json[] =>
  Array.isArray(value)
