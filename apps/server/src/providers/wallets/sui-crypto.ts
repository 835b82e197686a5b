import { ed25519 } from '@noble/curves/ed25519.js'
import { p256 } from '@noble/curves/nist.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { blake2b } from '@noble/hashes/blake2.js'
import { sha256 } from '@noble/hashes/sha2.js'
import type { SuiCrypto } from '@parley/contract/sui-signature'

/**
 * What signatures of Sui wallets are computed with. Strict where the default of the library takes a forged signature
 * under some broken public keys.
 */
export const suiCrypto: SuiCrypto = {
  blake2b256: (bytes) => blake2b(bytes, { dkLen: 32 }),
  verify: {
    Ed25519: (proof, digest, key) => ed25519.verify(proof, digest, key, { zip215: false }),
    Secp256k1: (proof, digest, key) => secp256k1.verify(proof, sha256(digest), key, { prehash: false }),
    Secp256r1: (proof, digest, key) => p256.verify(proof, sha256(digest), key, { prehash: false }),
  },
}
