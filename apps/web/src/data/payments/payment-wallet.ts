import { AppError } from '@parley/contract/errors'
import type { Payment } from '@parley/contract/payments'
import type { User } from '@parley/contract/users'
import * as z from 'zod/mini'
import { type EthereumWallet, findEthereumWallets } from '../wallets/ethereum-wallets'
import { WalletMissingError } from '../wallets/wallet-missing-error'

export type Payer = { wallet: EthereumWallet; account: string }
type Quote = NonNullable<Payment['token']>

/** Prefers MetaMask. */
function findWallet(): EthereumWallet {
  const { metaMask, others } = findEthereumWallets()
  const wallet = metaMask ?? others[0]
  if (!wallet) throw new WalletMissingError()
  return wallet
}

/**
 * Connects the wallet and chooses the paying account: for a person who signed in with Ethereum, their own. Throws
 * WalletMissingError, payment.wrong-account, or the wallet's own error.
 */
export async function connectPayer(user: User): Promise<Payer> {
  const wallet = findWallet()
  const accounts = z.parse(z.array(z.string()), await wallet.request({ method: 'eth_requestAccounts' }))
  const own = user.app_metadata.kind === 'ethereum' ? user.email.split('@')[0]?.toLowerCase() : undefined
  const account = own === undefined ? accounts[0] : accounts.find((each) => each.toLowerCase() === own)
  if (account === undefined) throw new AppError('payment.wrong-account')
  return { wallet, account }
}

/** Switches the wallet to the payment's chain; throws payment.wrong-network where it does not switch. */
export async function chooseChain({ wallet }: Payer, { chainId }: Quote): Promise<void> {
  if ((await currentChain(wallet)) === chainId) return
  try {
    await switchChain(wallet, chainId)
  } catch (error) {
    throw new AppError('payment.wrong-network', { cause: error })
  }
  if ((await currentChain(wallet)) !== chainId) throw new AppError('payment.wrong-network')
}

/** Sends the transfer exactly as the server prepared it; answers its hash. Throws the wallet's own error. */
export async function sendTransfer({ wallet, account }: Payer, { token, data }: Quote): Promise<string> {
  const hash = await wallet.request({
    method: 'eth_sendTransaction',
    params: [{ from: account, to: token, data, value: '0x0' }],
  })
  return z.parse(z.string().check(z.regex(/^0x[0-9a-f]{64}$/i)), hash)
}

/** Some wallets answer a number instead of hex text. */
async function currentChain(wallet: EthereumWallet): Promise<number> {
  return Number(await wallet.request({ method: 'eth_chainId' }))
}

const base = {
  chainId: '0x2105',
  chainName: 'Base',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: ['https://mainnet.base.org'],
  blockExplorerUrls: ['https://basescan.org'],
}

async function switchChain(wallet: EthereumWallet, chainId: number): Promise<void> {
  const wanted = { chainId: `0x${chainId.toString(16)}` }
  try {
    await wallet.request({ method: 'wallet_switchEthereumChain', params: [wanted] })
  } catch (error) {
    if (!isUnknownChain(error) || wanted.chainId !== base.chainId) throw error
    await wallet.request({ method: 'wallet_addEthereumChain', params: [base] })
    // Some wallets only add the chain.
    if ((await currentChain(wallet)) !== chainId)
      await wallet.request({ method: 'wallet_switchEthereumChain', params: [wanted] })
  }
}

/** EIP-3326; on phones MetaMask wraps it. */
const unknownChain = 4902
const Wrapped = z.object({ data: z.object({ originalError: z.object({ code: z.literal(unknownChain) }) }) })

function isUnknownChain(error: unknown): boolean {
  return walletCode(error) === unknownChain || z.safeParse(Wrapped, error).success
}

function walletCode(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined
}

/** Why a wallet rejected a request: the person declined, or another request is waiting for them. */
export function walletAnswer(error: unknown): 'declined' | 'waiting' | undefined {
  const code = walletCode(error)
  return code === 4001 || code === 'ACTION_REJECTED' ? 'declined' : code === -32002 ? 'waiting' : undefined
}
