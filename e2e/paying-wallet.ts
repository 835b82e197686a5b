// A wallet that pays: an EIP-1193 provider in the page, before a real chain.
import type { Page } from '@playwright/test'
import type { LocalChain } from '../apps/server/src/testing/local-chain'
import { bind, provideEthereum, RefusalError, rejected } from './injected-wallets'

type Account = Awaited<ReturnType<LocalChain['account']>>
type SentTransaction = Pick<Parameters<LocalChain['send']>[0], 'to' | 'data'> & { value: string }

/** Its owner agrees unless said. */
export class PayingWallet {
  /** The one it is on. */
  chainId = 1
  mayLeave = true
  maySend = true
  /** What it was asked to send. */
  readonly sent: SentTransaction[] = []

  constructor(
    private readonly chain: LocalChain,
    private readonly account: Account,
  ) {}

  async request(method: string, [first]: readonly unknown[]): Promise<unknown> {
    switch (method) {
      case 'eth_requestAccounts':
        return [this.account.address]
      case 'eth_chainId':
        return `0x${this.chainId.toString(16)}`
      case 'wallet_switchEthereumChain':
        if (!this.mayLeave) throw new RefusalError(rejected)
        this.chainId = Number((first as { chainId: string }).chainId)
        return null
      case 'eth_sendTransaction': {
        const transaction = first as SentTransaction
        this.sent.push(transaction)
        if (!this.maySend) throw new RefusalError(rejected)
        return this.chain.send({ to: transaction.to, data: transaction.data, from: this.account })
      }
      default:
        throw new RefusalError({ code: 4200, message: 'The Provider does not support the requested method.' })
    }
  }
}

/** There from the next page on. */
export async function injectPayingWallet(page: Page, wallet: PayingWallet): Promise<void> {
  await bind(page, 'paying-wallet', (method, params) => wallet.request(method, params))
  await page.context().addInitScript(provideEthereum, {
    binding: 'paying-wallet',
    name: 'MetaMask',
    rdns: 'io.metamask',
    isAnnounced: true,
  })
}
