import { expect, it } from 'vitest'
import { DataFileLock } from './data-file'

it.each([
  ['the export’s own', 65_536, 3, true],
  ['the least that is worth something', 19_456, 2, true],
  ['one pass over little memory', 19_456, 1, false],
  ['next to no memory', 8, 10, false],
  ['more than two seconds of work', 262_144, 10, false],
])('a passphrase file with %s as key derivation is read or refused', (_what, memoryKiB, passes, isRead) => {
  const lock = {
    cipher: 'aes-256-gcm',
    chunkBytes: 65_536,
    check: 'x',
    passphrase: { name: 'argon2id', salt: 'A'.repeat(22), memoryKiB, passes },
  }
  expect(DataFileLock.safeParse(lock).success).toBe(isRead)
})
