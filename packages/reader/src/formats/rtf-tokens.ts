/** `byte`: of the text. `ignorable`: what follows may be left out by those who do not know it. */
export type RtfToken =
  | { kind: 'open' }
  | { kind: 'close' }
  | { kind: 'ignorable' }
  | { kind: 'byte'; byte: number }
  | { kind: 'word'; word: string; value: number | undefined }

const [backslash, open, close, quote, star, space, minus] = [0x5c, 0x7b, 0x7d, 0x27, 0x2a, 0x20, 0x2d]
const isLetter = (byte: number): boolean => (byte >= 0x61 && byte <= 0x7a) || (byte >= 0x41 && byte <= 0x5a)
const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39

export function* rtfTokens(bytes: Uint8Array): Generator<RtfToken> {
  let at = 0
  while (at < bytes.length) {
    const byte = bytes[at] ?? 0
    if (byte === open || byte === close) {
      yield byte === open ? { kind: 'open' } : { kind: 'close' }
      at++
    } else if (byte === backslash) {
      const next = bytes[at + 1] ?? 0
      if (isLetter(next)) {
        const { token, end } = wordAt(bytes, at + 1)
        // So many bytes follow that are no text.
        at = token.word === 'bin' ? end + Math.max(0, token.value ?? 0) : end
        yield token
      } else {
        yield symbolAt(bytes, at + 1)
        at += next === quote ? 4 : 2
      }
    } else {
      // Line ends of the file are none of the text.
      if (byte !== 0x0a && byte !== 0x0d && byte !== 0) yield { kind: 'byte', byte }
      at++
    }
  }
}

function wordAt(bytes: Uint8Array, from: number) {
  let end = from
  while (end < from + 32 && isLetter(bytes[end] ?? 0)) end++
  const word = String.fromCharCode(...bytes.subarray(from, end))
  const start = end
  if (bytes[end] === minus) end++
  while (end < start + 11 && isDigit(bytes[end] ?? 0)) end++
  const digits = String.fromCharCode(...bytes.subarray(start, end))
  if (bytes[end] === space) end++
  return { token: { kind: 'word' as const, word, value: /\d/.test(digits) ? Number(digits) : undefined }, end }
}

function symbolAt(bytes: Uint8Array, at: number): RtfToken {
  const byte = bytes[at] ?? 0
  if (byte === star) return { kind: 'ignorable' }
  if (byte === quote) {
    const hex = String.fromCharCode(bytes[at + 1] ?? 0x32, bytes[at + 2] ?? 0x30)
    return { kind: 'byte', byte: Number.parseInt(hex, 16) || 0x20 }
  }
  if (byte === 0x0a || byte === 0x0d) return { kind: 'word', word: 'par', value: undefined }
  if (byte === 0x7e || byte === 0x5f) return { kind: 'word', word: String.fromCharCode(byte), value: undefined }
  return byte === 0x2d ? { kind: 'word', word: 'softhyphen', value: undefined } : { kind: 'byte', byte }
}
