import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519'
import type { AnchorClaim } from '@parley/contract/sui-anchor'
import { base58 } from '@scure/base'
import { suiCrypto } from '../providers/wallets/sui-crypto'

export const tools = { sui: suiCrypto, toBase58: (bytes: Uint8Array) => base58.encode(bytes) }
export const claim: AnchorClaim = {
  package: `0x${'a1'.repeat(32)}`,
  author: new Ed25519Keypair().toSuiAddress(),
  agent: `0x${'b2'.repeat(32)}`,
  version: 300,
  manifest: 'c3'.repeat(32),
}
