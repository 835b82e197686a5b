/** Text of a file in the encoding that it seems to have: by its mark, as UTF-8 or UTF-16, else as windows-1252. */
export function decodeText(bytes: Uint8Array, maxLength = Number.POSITIVE_INFINITY): string {
  const { encoding, mark } = encodingOf(bytes)
  const part = bytes.subarray(mark, Math.min(bytes.length, mark + maxLength * 4))
  return new TextDecoder(encoding).decode(part).slice(0, maxLength)
}

/** Whether bytes are text at all, by their beginning. */
export function looksLikeText(bytes: Uint8Array): boolean {
  const { encoding, mark } = encodingOf(bytes)
  const text = new TextDecoder(encoding).decode(bytes.subarray(mark, mark + 8192))
  // biome-ignore lint/suspicious/noControlCharactersInRegex: text has none of them
  const strange = text.match(/[\u0000-\u0008\u000E-\u001A\u001C-\u001F\uFFFD]/g)?.length ?? 0
  return strange <= text.length / 200
}

type Encoding = { encoding: 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252'; mark: number }

function encodingOf(bytes: Uint8Array): Encoding {
  const [a, b, c] = bytes
  if (a === 0xef && b === 0xbb && c === 0xbf) return { encoding: 'utf-8', mark: 3 }
  if (a === 0xff && b === 0xfe) return { encoding: 'utf-16le', mark: 2 }
  if (a === 0xfe && b === 0xff) return { encoding: 'utf-16be', mark: 2 }
  const head = bytes.subarray(0, 4096)
  const zeros = [0, 0]
  for (const [index, byte] of head.entries()) if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1
  const many = head.length / 5
  if ((zeros[1] ?? 0) > many && (zeros[0] ?? 0) < many / 10) return { encoding: 'utf-16le', mark: 0 }
  if ((zeros[0] ?? 0) > many && (zeros[1] ?? 0) < many / 10) return { encoding: 'utf-16be', mark: 0 }
  return { encoding: isUtf8(bytes) ? 'utf-8' : 'windows-1252', mark: 0 }
}

/** A few broken bytes, as in a file that was cut off, do not make it another encoding. */
function isUtf8(bytes: Uint8Array): boolean {
  let good = 0
  let bad = 0
  const end = Math.min(bytes.length, 1024 * 1024)
  for (let at = 0; at < end; at++) {
    const byte = bytes[at] ?? 0
    if (byte < 0x80) continue
    const length = byte >= 0xf0 && byte < 0xf5 ? 3 : byte >= 0xe0 ? 2 : byte >= 0xc2 ? 1 : 0
    let follows = 0
    while (follows < length && ((bytes[at + follows + 1] ?? 0) & 0xc0) === 0x80) follows++
    if (length > 0 && follows === length) {
      good++
      at += length
    } else bad++
  }
  return bad === 0 || good > bad * 20
}
