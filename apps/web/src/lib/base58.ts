const letters = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/** Bytes in Bitcoin's base58: each leading zero byte is a `1`. */
export function toBase58(bytes: Uint8Array): string {
  const zeros = bytes.findIndex((byte) => byte !== 0)
  let number = bytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n)
  let text = ''
  for (; number > 0n; number /= 58n) text = letters[Number(number % 58n)] + text
  return '1'.repeat(zeros < 0 ? bytes.length : zeros) + text
}
