import { randomBytes } from 'node:crypto'
import { limits } from '@parley/contract/limits'
import { product } from '@parley/contract/product'
import { shownAddress, type WalletKind } from '../../providers/wallets/wallet-address'

/** Contract wallets are asked on Base: there an address may belong to somebody else than on another chain, so the text names it. */
const chains = { ethereum: { name: 'Ethereum', id: undefined }, solana: { name: 'Solana', id: 'mainnet' }, sui: { name: 'Sui', id: 'mainnet' } } as const

/** `chainId`: of Base, or of the chain that stands for it. */
type Options = { kind: WalletKind; address: string; publicUrl: string; chainId: number; now: number }

/** What a wallet is asked to sign: EIP-4361 for Ethereum and the same text in the name of the other chains. It names this server, so that it is of no use elsewhere. */
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
    `Expiration Time: ${new Date(now + limits.auth.challengeMinutes * 60_000).toISOString()}`,
  ].join('\n')
}
