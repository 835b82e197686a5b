import { base58 } from '@scure/base'
import { getAddress, isAddress } from 'viem/utils'

export type WalletKind = 'ethereum' | 'solana' | 'sui'

/**
 * The one spelling of an address by which an account is known: Ethereum and Sui in lower case, Sui in full length.
 * Undefined for what is none.
 */
export function walletAddress(kind: WalletKind, text: string): string | undefined {
  if (kind === 'ethereum') return isAddress(text, { strict: false }) ? text.toLowerCase() : undefined
  if (kind === 'sui')
    return /^0x[0-9a-f]{1,64}$/i.test(text) ? `0x${text.slice(2).toLowerCase().padStart(64, '0')}` : undefined
  return solanaKey(text) ? text : undefined
}

/** As wallets show it: Ethereum with the checksum in its case. */
export function shownAddress(kind: WalletKind, address: string): string {
  return kind === 'ethereum' ? getAddress(address) : address
}

/** The 32 bytes of a Solana address, which is a public key. */
export function solanaKey(text: string): Uint8Array | undefined {
  try {
    const key = base58.decode(text)
    return key.length === 32 ? key : undefined
  } catch {
    return undefined
  }
}
