import * as z from 'zod/mini'
import { type EthereumWallet, findEthereumWallets } from './ethereum-wallets'
import { WalletMissingError } from './wallet-missing-error'

function requireMetaMask(): EthereumWallet {
  const { metaMask, others } = findEthereumWallets()
  if (!metaMask) throw new WalletMissingError(others.length > 0)
  return metaMask
}

/**
 * Connects MetaMask: the first account that the person shares, and a function that signs a text (EIP-191). Throws
 * WalletMissingError, or the wallet's own error.
 */
export async function connectMetaMask(): Promise<{ address: string; sign: (message: string) => Promise<string> }> {
  const wallet = requireMetaMask()
  const [address] = z.parse(z.array(z.string()), await wallet.request({ method: 'eth_requestAccounts' }))
  if (address === undefined) throw new Error('the wallet shows no account')
  const sign = async (message: string): Promise<string> => {
    const bytes = Array.from(new TextEncoder().encode(message), (byte) => byte.toString(16).padStart(2, '0')).join('')
    return z.parse(z.string(), await wallet.request({ method: 'personal_sign', params: [`0x${bytes}`, address] }))
  }
  return { address, sign }
}
