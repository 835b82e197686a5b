import { expect, it } from 'vitest'
import { newPassphraseHash } from './passphrase'

it('a guess of a new passphrase costs 64 MiB in three passes, with a salt of its own', () => {
  const [one, other] = [newPassphraseHash(), newPassphraseHash()]
  expect(one).toMatchObject({ name: 'argon2id', memoryKiB: 64 * 1024, passes: 3 })
  expect(one.salt).not.toBe(other.salt)
})
