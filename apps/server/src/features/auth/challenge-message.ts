import { randomBytes } from 'node:crypto'
import { serverLimits } from '@parley/contract/limits/server'
import { product } from '@parley/contract/product'
import { shownAddress, type WalletKind } from '../../providers/wallets/wallet-address'

/**
 * The text names the chain, because a contract wallet's address may belong to somebody else on another chain; Ethereum
 * signatures are verified on Base.
 */
const chains = {
  ethereum: { name: 'Ethereum', id: undefined },
  solana: { name: 'Solana', id: 'mainnet' },
  sui: { name: 'Sui', id: 'mainnet' },
} as const

/** `chainId` is that of Base, or of the local chain that tests use in its stead. */
type Options = { kind: WalletKind; address: string; publicUrl: string; chainId: number; now: number }

/**
 * EIP-4361 for Ethereum, and the same text with the name of the other chains. It names this server, so that no other
 * server accepts its signature.
 */
export function challengeMessage({ kind, address, publicUrl, chainId, now }: Options): string {
  const { host, origin } = new URL(publicUrl)
  const chain = chains[kind]
  return [
    `${host} wants you to sign in with your ${chain.name} account:`,
    shownAddress(kind, address),
    '',
    `Sign in to ${product.name}. This costs nothing and moves nothing.`,
    '',
    `URI: ${origin}`,
    'Version: 1',
    `Chain ID: ${chain.id ?? chainId}`,
    `Nonce: ${randomBytes(16).toString('hex')}`,
    `Issued At: ${new Date(now).toISOString()}`,
    `Expiration Time: ${new Date(now + serverLimits.auth.challengeMinutes * 60_000).toISOString()}`,
  ].join('\n')
}
