import { ed25519 } from '@noble/curves/ed25519.js'
import { checkSuiSignature, suiDigest as digestOf } from '@parley/contract/sui-signature'
import { base58 } from '@scure/base'
import { getAddress, isHex } from 'viem'
import { recoverMessageAddress } from 'viem/utils'
import { chainClient } from '../base-chain'
import type { Egress } from '../egress'
import { suiCrypto } from './sui-crypto'
import { solanaKey, type WalletKind } from './wallet-address'

type Signed = { address: string; message: string; signature: string }
export type VerifySignature = (kind: WalletKind, signed: Signed) => Promise<boolean>

/**
 * Whether a wallet's owner signed the message. Whatever is no signature is simply not one: nothing throws. With
 * `baseRpc`, contract wallets (EIP-1271) are asked there, where it is the chain of `chainId`.
 */
export function createVerifySignature({
  egress,
  baseRpc,
  chainId,
}: {
  egress: Egress
  baseRpc: string | undefined
  chainId: number
}): VerifySignature {
  const askContract = baseRpc === undefined ? undefined : contractCheck(egress, baseRpc, chainId)
  return async (kind, signed) => {
    try {
      if (kind === 'solana') return verifySolana(signed)
      if (kind === 'sui') return checkSuiSignature(signed, suiCrypto).isGood
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
  return (
    key !== undefined &&
    ed25519.verify(base58.decode(signature), new TextEncoder().encode(message), key, { zip215: false })
  )
}

export const suiDigest = (message: string): Uint8Array => digestOf(message, suiCrypto)
