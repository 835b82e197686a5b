import type * as passphrases from '../data/local/passphrase'

/**
 * For `vi.mock` of data/local/passphrase, in tests of what a passphrase locks: the least that a data file may ask for,
 * a fifth of what guessing is made to cost.
 */
export async function withCheapHash(original: () => Promise<typeof passphrases>): Promise<typeof passphrases> {
  const real = await original()
  return { ...real, newPassphraseHash: () => ({ ...real.newPassphraseHash(), memoryKiB: 19_456, passes: 2 }) }
}
