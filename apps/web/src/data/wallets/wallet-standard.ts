import { getWallets } from '@wallet-standard/app'
import type { Wallet, WalletAccount } from '@wallet-standard/base'
import { toBase58 } from '../../lib/base58'
import { WalletMissingError } from './wallet-missing-error'

type ConnectedWallet = { address: string; sign: (message: string) => Promise<string> }
type ConnectedSuiWallet = ConnectedWallet & {
  /** Signs and sends a transaction, and answers its digest. Undefined where the wallet cannot. */
  send: ((transaction: string, network: string) => Promise<string>) | undefined
}
type Connect = { connect(): Promise<{ accounts: readonly WalletAccount[] }> }
type SolanaSign = {
  signMessage(input: {
    account: WalletAccount
    message: Uint8Array
  }): Promise<readonly { signature: Uint8Array<ArrayBuffer> }[]>
}
type SuiSign = {
  signPersonalMessage(input: {
    account: WalletAccount
    message: Uint8Array
    chain: string
  }): Promise<{ signature: string }>
}
/** The wallet gets the transaction as JSON, adds coins and fees, and encodes it. */
type SuiSend = {
  signAndExecuteTransaction(input: {
    account: WalletAccount
    transaction: { toJSON(): Promise<string> }
    chain: string
  }): Promise<{ digest: string }>
}

/** The wallet that supports a feature; one with the preferred name before any other. */
function walletWith(feature: string, preferred: RegExp): Wallet {
  const wallets = getWallets().get()
  const able = wallets.filter(({ features }) => feature in features && 'standard:connect' in features)
  const wallet = able.find(({ name }) => preferred.test(name)) ?? able[0]
  if (!wallet) throw new WalletMissingError(wallets.length > 0)
  return wallet
}

async function connect(wallet: Wallet, chain: 'solana' | 'sui'): Promise<WalletAccount> {
  const { accounts } = await featureOf<Connect>(wallet, 'standard:connect').connect()
  const account = accounts.find(({ chains }) => chains.some((name) => name.startsWith(`${chain}:`))) ?? accounts[0]
  if (!account) throw new Error('the wallet shows no account')
  return account
}

/** Phantom, or another Solana wallet; signatures in base58. */
export async function connectSolana(): Promise<ConnectedWallet> {
  const wallet = walletWith('solana:signMessage', /phantom/i)
  const account = await connect(wallet, 'solana')
  const sign = async (message: string): Promise<string> => {
    const [signed] = await featureOf<SolanaSign>(wallet, 'solana:signMessage').signMessage({
      account,
      message: new TextEncoder().encode(message),
    })
    if (!signed) throw new Error('the wallet did not sign')
    return toBase58(signed.signature)
  }
  return { address: account.address, sign }
}

/** A Sui wallet; signatures of personal messages in base64, as the wallet gives them. */
export async function connectSui(): Promise<ConnectedSuiWallet> {
  const wallet = walletWith('sui:signPersonalMessage', /slush|sui/i)
  const account = await connect(wallet, 'sui')
  const chain = account.chains.find((name) => name.startsWith('sui:')) ?? 'sui:mainnet'
  const sign = async (message: string): Promise<string> =>
    (
      await featureOf<SuiSign>(wallet, 'sui:signPersonalMessage').signPersonalMessage({
        account,
        message: new TextEncoder().encode(message),
        chain,
      })
    ).signature
  const send = async (transaction: string, network: string): Promise<string> => {
    const input = { account, transaction: { toJSON: async () => transaction }, chain: `sui:${network}` }
    return (await featureOf<SuiSend>(wallet, sendFeature).signAndExecuteTransaction(input)).digest
  }
  return { address: account.address, sign, send: sendFeature in wallet.features ? send : undefined }
}

const sendFeature = 'sui:signAndExecuteTransaction'

/** The wallet standard defines the type of a feature by its name. */
const featureOf = <T>(wallet: Wallet, name: string): T => (wallet.features as Record<string, unknown>)[name] as T
