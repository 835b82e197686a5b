import { expect, it } from 'vitest'
import { toBase58 } from './base58'

it('writes bytes as Solana does, leading zeros included', () => {
  const text = (value: string) => toBase58(new TextEncoder().encode(value))
  expect(text('Hello World!')).toBe('2NEpo7TZRRrLZSi2U')
  expect(text('The quick brown fox jumps over the lazy dog.')).toBe(
    'USm3fpXnKG5EUBx2ndxBDMPVciP5hGey2Jh4NDv6gmeo1LkMeiKrLJUUBk6Z',
  )
  expect(toBase58(Uint8Array.of(0, 0, 40, 127, 180, 205))).toBe('11233QC4')
  expect(toBase58(new Uint8Array(3))).toBe('111')
  expect(toBase58(new Uint8Array(0))).toBe('')
})
