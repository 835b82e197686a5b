import type { EthereumWallet } from '../data/wallets/ethereum-wallets'

type Request = Parameters<EthereumWallet['request']>[0]

/** What a wallet says instead of doing what it was asked (EIP-1193). */
export const walletError = (code: number, data?: unknown): Error =>
  Object.assign(new Error(`wallet says ${code}`), { code, data })

export const aHash = `0x${'ab'.repeat(32)}`

/** A wallet (EIP-1193) on a chain, with accounts and with the chains that it knows. */
export class PaymentWallet implements EthereumWallet {
  readonly isMetaMask = true
  readonly asked: Request[] = []
  chainId = 8453
  knownChains = [1, 8453]
  /** By method: what it says instead. */
  readonly refusals = new Map<string, Error>()
  hash: unknown = aHash

  constructor(readonly accounts: string[]) {}

  methods(): string[] {
    return this.asked.map(({ method }) => method)
  }

  paramsOf(method: string): unknown {
    return this.asked.find((each) => each.method === method)?.params?.[0]
  }

  readonly request = async (call: Request): Promise<unknown> => {
    this.asked.push(call)
    const refusal = this.refusals.get(call.method)
    if (refusal) throw refusal
    if (call.method === 'eth_requestAccounts') return this.accounts
    if (call.method === 'eth_chainId') return `0x${this.chainId.toString(16)}`
    if (call.method === 'wallet_switchEthereumChain') return this.goTo(wantedChain(call))
    if (call.method === 'wallet_addEthereumChain') return void this.knownChains.push(wantedChain(call))
    if (call.method === 'eth_sendTransaction') return this.hash
    throw walletError(4200)
  }

  private goTo(chainId: number): null {
    if (!this.knownChains.includes(chainId)) throw walletError(4902)
    this.chainId = chainId
    return null
  }
}

function wantedChain({ params }: Request): number {
  const [wanted] = (params ?? []) as { chainId: string }[]
  return Number(wanted?.chainId)
}
