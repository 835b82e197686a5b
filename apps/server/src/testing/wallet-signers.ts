import { ed25519 } from '@noble/curves/ed25519.js'
import { p256 } from '@noble/curves/nist.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { blake2b } from '@noble/hashes/blake2.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { base58, base64 } from '@scure/base'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { suiDigest } from '../providers/wallets/verify-signature'
import type { WalletKind } from '../providers/wallets/wallet-address'

/** A wallet with a real key pair. */
export type WalletSigner = {
  kind: WalletKind
  address: string
  publicKey: Uint8Array
  sign(message: string): Promise<string>
}

export function ethereumSigner(): WalletSigner {
  const account = privateKeyToAccount(generatePrivateKey())
  return {
    kind: 'ethereum',
    address: account.address,
    publicKey: new Uint8Array(0),
    sign: (message) => account.signMessage({ message }),
  }
}

export function solanaSigner(): WalletSigner {
  const { secretKey, publicKey } = ed25519.keygen()
  const sign = async (message: string): Promise<string> =>
    base58.encode(ed25519.sign(new TextEncoder().encode(message), secretKey))
  return { kind: 'solana', address: base58.encode(publicKey), publicKey, sign }
}

const suiSchemes = {
  ed25519: {
    flag: 0,
    keygen: () => ed25519.keygen(),
    sign: (digest: Uint8Array, key: Uint8Array) => ed25519.sign(digest, key),
  },
  secp256k1: {
    flag: 1,
    keygen: () => secp256k1.keygen(),
    sign: (digest: Uint8Array, key: Uint8Array) => secp256k1.sign(sha256(digest), key, { prehash: false }),
  },
  secp256r1: {
    flag: 2,
    keygen: () => p256.keygen(),
    sign: (digest: Uint8Array, key: Uint8Array) => p256.sign(sha256(digest), key, { prehash: false }),
  },
} as const

export type SuiScheme = keyof typeof suiSchemes

export function suiSigner(scheme: SuiScheme = 'ed25519'): WalletSigner {
  const { flag, keygen, sign } = suiSchemes[scheme]
  const { secretKey, publicKey } = keygen()
  const address = `0x${Buffer.from(blake2b(Uint8Array.of(flag, ...publicKey), { dkLen: 32 })).toString('hex')}`
  return {
    kind: 'sui',
    address,
    publicKey,
    sign: async (message) => base64.encode(Uint8Array.of(flag, ...sign(suiDigest(message), secretKey), ...publicKey)),
  }
}
