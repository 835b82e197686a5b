/** What PostgreSQL cannot keep as text: NUL, and halves of a character. */
const unstorable = /\0|\p{Cs}/u
const allUnstorable = /\0|\p{Cs}/gu

const cleaned = (text: string): string => (unstorable.test(text) ? text.replace(allUnstorable, '\ufffd') : text)

/**
 * Parsed input in which each text can be stored, changed in place: what cannot is the replacement character, in values
 * and in names. A loop, not a recursion: how deep input may be nested is not known here.
 */
export function storable(input: unknown): unknown {
  if (typeof input === 'string') return cleaned(input)
  const waiting: unknown[] = [input]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next !== 'object' || next === null) continue
    const holder = next as Record<string, unknown>
    for (const [name, value] of Object.entries(holder)) {
      const goodName = Array.isArray(next) ? name : cleaned(name)
      const goodValue = typeof value === 'string' ? cleaned(value) : value
      if (goodName !== name) Reflect.deleteProperty(holder, name)
      if (goodName !== name || goodValue !== value) holder[goodName] = goodValue
      if (typeof value === 'object' && value !== null) waiting.push(value)
    }
  }
  return input
}
