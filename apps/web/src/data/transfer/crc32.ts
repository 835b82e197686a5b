const table = Uint32Array.from({ length: 256 }, (_, n) => {
  let c = n
  for (let bit = 0; bit < 8; bit++) c = c & 1 ? (c >>> 1) ^ 0xedb88320 : c >>> 1
  return c >>> 0
})

/** The checksum of zip files, over bytes that come in chunks: pass the result of the previous chunk as `before`. */
export function crc32(bytes: Uint8Array, before = 0): number {
  let c = ~before
  for (const byte of bytes) c = (c >>> 8) ^ (table[(c ^ byte) & 0xff] ?? 0)
  return ~c >>> 0
}
