import { ed25519 } from '@noble/curves/ed25519.js'
import { p256 } from '@noble/curves/nist.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { blake2b } from '@noble/hashes/blake2.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { base58, base64 } from '@scure/base'
import { getAddress, isHex } from 'viem'
import { recoverMessageAddress } from 'viem/utils'
import { chainClient } from '../base-chain'
import type { Egress } from '../egress'
import { solanaKey, type WalletKind } from './wallet-address'

type Signed = { address: string; message: string; signature: string }
export type VerifySignature = (kind: WalletKind, signed: Signed) => Promise<boolean>

/** Whether a wallet's owner signed the message. Whatever is no signature is simply not one: nothing throws. With `baseRpc`, contract wallets (EIP-1271) are asked there, where it is the chain of `chainId`. */
export function createVerifySignature({ egress, baseRpc, chainId }: { egress: Egress; baseRpc: string | undefined; chainId: number }): VerifySignature {
  const askContract = baseRpc === undefined ? undefined : contractCheck(egress, baseRpc, chainId)
  return async (kind, signed) => {
    try {
      if (kind === 'solana') return verifySolana(signed)
      if (kind === 'sui') return verifySui(signed)
      return (await isOwnersSignature(signed)) || (await askContract?.(signed)) === true
    } catch {
      return false
    }
  }
}

async function isOwnersSignature({ address, message, signature }: Signed): Promise<boolean> {
  if (!isHex(signature)) return false
  try {
    return (await recoverMessageAddress({ message, signature })).toLowerCase() === address
  } catch {
    // A contract's signature has any form.
    return false
  }
}

function contractCheck(egress: Egress, baseRpc: string, chainId: number): (signed: Signed) => Promise<boolean> {
  const client = chainClient(egress, baseRpc)
  let isNamedChain = false
  return async ({ address, message, signature }) => {
    if (!isHex(signature)) return false
    // The signed text names the chain: a contract of another one may be somebody else's.
    isNamedChain ||= (await client.getChainId()) === chainId
    return isNamedChain && client.verifyMessage({ address: getAddress(address), message, signature })
  }
}

/** Strict: the default of most libraries accepts a forged signature under some broken public keys. */
function verifySolana({ address, message, signature }: Signed): boolean {
  const key = solanaKey(address)
  return key !== undefined && ed25519.verify(base58.decode(signature), new TextEncoder().encode(message), key, { zip215: false })
}

/** A Sui personal message: `flag || signature || public key` over the hash of intent and BCS-encoded message; the address is the hash of flag and key. */
function verifySui({ address, message, signature }: Signed): boolean {
  const bytes = base64.decode(signature)
  const [flag] = bytes
  const scheme = flag === undefined ? undefined : suiSchemes[flag]
  if (!scheme || bytes.length !== 65 + scheme.keyLength) return false
  const [proof, key] = [bytes.subarray(1, 65), bytes.subarray(65)]
  const owner = blake2b(Uint8Array.of(flag ?? 0, ...key), { dkLen: 32 })
  if (`0x${Buffer.from(owner).toString('hex')}` !== address) return false
  return scheme.verify(proof, suiDigest(message), key)
}

const suiSchemes: Partial<Record<number, { keyLength: number; verify: (proof: Uint8Array, digest: Uint8Array, key: Uint8Array) => boolean }>> = {
  0: { keyLength: 32, verify: (proof, digest, key) => ed25519.verify(proof, digest, key, { zip215: false }) },
  1: { keyLength: 33, verify: (proof, digest, key) => secp256k1.verify(proof, sha256(digest), key, { prehash: false }) },
  2: { keyLength: 33, verify: (proof, digest, key) => p256.verify(proof, sha256(digest), key, { prehash: false }) },
}

const personalMessageIntent = [3, 0, 0]

export function suiDigest(message: string): Uint8Array {
  const bytes = new TextEncoder().encode(message)
  return blake2b(Uint8Array.of(...personalMessageIntent, ...uleb128(bytes.length), ...bytes), { dkLen: 32 })
}

function uleb128(value: number): number[] {
  return value < 128 ? [value] : [(value % 128) + 128, ...uleb128(Math.floor(value / 128))]
}
