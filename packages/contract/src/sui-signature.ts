// Signatures of Sui wallets over personal messages, checked without a network. What computes is passed in, since the
// contract has no libraries of its own: the server and the reader's browser check by the same rules.
import { BcsReader, uleb128 } from './bcs-reader'

export type SuiScheme = 'Ed25519' | 'Secp256k1' | 'Secp256r1'

export type SuiCrypto = {
  blake2b256(bytes: Uint8Array): Uint8Array
  /** Whether the owner of `key` signed these 32 bytes. May throw for what is no signature or key. */
  verify: Record<SuiScheme, (proof: Uint8Array, digest: Uint8Array, key: Uint8Array) => boolean>
}

export type SuiSigned = { address: string; message: string; signature: string }
/** A transaction's bytes, as its sender signs them. */
export type SuiSignedTransaction = { address: string; bytes: Uint8Array; signature: string }

/**
 * unsupported: of a scheme that takes a network to check, or of none that is known. foreign: by another address.
 * altered: over something else.
 */
export type SuiCheck =
  | { isGood: true; scheme: SuiScheme | 'MultiSig' }
  | { isGood: false; reason: 'unsupported' | 'foreign' | 'altered' }

const single: Partial<Record<number, { scheme: SuiScheme; keyLength: number }>> = {
  0: { scheme: 'Ed25519', keyLength: 32 },
  1: { scheme: 'Secp256k1', keyLength: 33 },
  2: { scheme: 'Secp256r1', keyLength: 33 },
}
const multiSigFlag = 3
const proofLength = 64
/** As the chain has it. */
const maxSigners = 10

/** Who signed a message, and whether it was this one. Throws nothing. */
export function checkSuiSignature({ address, message, signature }: SuiSigned, sui: SuiCrypto): SuiCheck {
  return checkSigned({ address, digest: suiDigest(message, sui), signature }, sui)
}

/** Who signed a transaction. Throws nothing. */
export function checkSuiTransaction({ address, bytes, signature }: SuiSignedTransaction, sui: SuiCrypto): SuiCheck {
  return checkSigned(
    { address, digest: sui.blake2b256(joined(Uint8Array.from(transactionIntent), bytes)), signature },
    sui,
  )
}

function checkSigned(
  { address, digest, signature }: { address: string; digest: Uint8Array; signature: string },
  sui: SuiCrypto,
): SuiCheck {
  try {
    const bytes = fromBase64(signature)
    const [flag = -1] = bytes
    if (flag === multiSigFlag) return checkMultiSig(bytes.subarray(1), { address, digest }, sui)
    const kind = single[flag]
    if (!kind || bytes.length !== 1 + proofLength + kind.keyLength) return { isGood: false, reason: 'unsupported' }
    const [proof, key] = [bytes.subarray(1, 1 + proofLength), bytes.subarray(1 + proofLength)]
    if (addressOf(Uint8Array.of(flag, ...key), sui) !== address) return { isGood: false, reason: 'foreign' }
    return isProof(kind.scheme, { proof, digest, key }, sui)
      ? { isGood: true, scheme: kind.scheme }
      : { isGood: false, reason: 'altered' }
  } catch {
    return { isGood: false, reason: 'unsupported' }
  }
}

function kindOf(flag: number): { scheme: SuiScheme; keyLength: number } {
  const kind = single[flag]
  if (!kind) throw new RangeError('another scheme')
  return kind
}

function isProof(
  scheme: SuiScheme,
  { proof, digest, key }: { proof: Uint8Array; digest: Uint8Array; key: Uint8Array },
  sui: SuiCrypto,
): boolean {
  try {
    return sui.verify[scheme](proof, digest, key)
  } catch {
    return false
  }
}

const personalMessageIntent = [3, 0, 0]
const transactionIntent = [0, 0, 0]

/** What a wallet signs of a personal message: the hash of intent and BCS-encoded text. */
export function suiDigest(message: string, { blake2b256 }: Pick<SuiCrypto, 'blake2b256'>): Uint8Array {
  const bytes = new TextEncoder().encode(message)
  return blake2b256(joined(Uint8Array.from([...personalMessageIntent, ...uleb128(bytes.length)]), bytes))
}

const addressOf = (bytes: Uint8Array, { blake2b256 }: SuiCrypto): string => `0x${toHex(blake2b256(bytes))}`

/**
 * `signatures ‖ bitmap ‖ keys with weights ‖ threshold`. A signer that is not checked here, such as one of zkLogin,
 * makes the whole unsupported.
 */
function checkMultiSig(
  bytes: Uint8Array,
  { address, digest }: { address: string; digest: Uint8Array },
  sui: SuiCrypto,
): SuiCheck {
  const reader = new BcsReader(bytes)
  const proofs = reader.list(() => ({ ...kindOf(reader.byte()), proof: reader.take(proofLength) }), maxSigners)
  const bitmap = reader.u16()
  const keys = reader.list(() => {
    const flag = reader.byte()
    const { scheme, keyLength } = kindOf(flag)
    return { flag, scheme, key: reader.take(keyLength), weight: reader.byte() }
  }, maxSigners)
  const threshold = reader.u16()
  reader.end()
  if (threshold === 0 || keys.some(({ weight }) => weight === 0)) return { isGood: false, reason: 'altered' }

  const account = keys.flatMap(({ flag, key, weight }) => [flag, ...key, weight])
  const owner = addressOf(Uint8Array.of(multiSigFlag, threshold & 0xff, threshold >> 8, ...account), sui)
  if (owner !== address) return { isGood: false, reason: 'foreign' }

  const signers = keys.filter((_, place) => (bitmap >> place) & 1)
  const weight = signers.reduce((sum, signer) => sum + signer.weight, 0)
  const isWhole = bitmap >> keys.length === 0 && signers.length === proofs.length && weight >= threshold
  const areGood = signers.every(({ scheme, key }, place) => {
    const signed = proofs[place]
    return signed?.scheme === scheme && isProof(scheme, { proof: signed.proof, digest, key }, sui)
  })
  return isWhole && areGood ? { isGood: true, scheme: 'MultiSig' } : { isGood: false, reason: 'altered' }
}

export function joined(...parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  parts.reduce((at, part) => {
    all.set(part, at)
    return at + part.length
  }, 0)
  return all
}

export const toHex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

/** Strict: one spelling for the same bytes. Throws for what is none. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text)
  if (btoa(binary) !== text) throw new RangeError('not the one spelling in base64')
  return Uint8Array.from(binary, (character) => character.charCodeAt(0))
}
