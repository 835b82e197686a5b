import { type Address, type Hex, numberToHex, parseEther } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { type FaultyProxy, startFaultyProxy } from './faulty-proxy'
import { type LocalChain, startLocalChain } from './local-chain'

export const treasury: Address = '0x7ea5000000000000000000000000000000000001'

export interface TokenSale {
  readonly chain: LocalChain
  readonly token: Address
  readonly otherToken: Address
  /** Between the server and the chain's node. */
  readonly proxy: FaultyProxy
  /** Of a server that takes the token. */
  readonly env: Record<string, string>
  close(): Promise<void>
}

/** A chain with the token that a server takes and one that it does not, behind a proxy on which calls can be lost. */
export async function startTokenSale(): Promise<TokenSale> {
  const chain = await startLocalChain()
  const [token, otherToken] = [await chain.deployToken(18), await chain.deployToken(18)]
  // A block comes when it is asked for, not some time after its transaction was taken.
  await chain.ask('evm_setAutomine', [false])
  const proxy = await startFaultyProxy(chain.url)
  const env = {
    BASE_RPC_URL: proxy.url,
    BASE_CHAIN_ID: String(chain.chainId),
    AIZ_TOKEN_ADDRESS: token,
    AIZ_TREASURY_ADDRESS: treasury,
    AIZ_USD_PRICE: '0.03',
  }
  return {
    ...{ chain, token, otherToken, proxy, env },
    async close() {
      await proxy.close()
      chain.close()
    },
  }
}

/** Seconds since 1970, of the newest block. */
export async function chainTime(chain: LocalChain): Promise<number> {
  const { timestamp } = (await chain.ask('eth_getBlockByNumber', ['latest', false])) as { timestamp: Hex }
  return Number(timestamp)
}

/**
 * Somebody with coins for fees and tokens of both kinds: what they do on the chain is done one after the other, each in
 * a block of its own.
 */
export class ChainAccount {
  private last: Promise<unknown> = Promise.resolve()
  private constructor(
    private readonly sale: TokenSale,
    readonly account: PrivateKeyAccount,
  ) {}

  static async open(sale: TokenSale, tokenCalls: (to: Address) => Hex): Promise<ChainAccount> {
    const account = privateKeyToAccount(generatePrivateKey())
    const one = new ChainAccount(sale, account)
    await sale.chain.ask('anvil_setBalance', [account.address, numberToHex(parseEther('1'))])
    for (const to of [sale.token, sale.otherToken]) await one.sendOfAnother(to, tokenCalls(account.address))
    return one
  }

  /** After all that was begun before. */
  inTurn<T>(act: () => Promise<T>): Promise<T> {
    const next = this.last.then(act)
    this.last = next.catch(() => undefined)
    return next
  }

  /** Signs the next transaction of the account. Send it before the next is signed. */
  async sign(to: Address, data: Hex): Promise<Hex> {
    const { chain } = this.sale
    const nonce = Number(await chain.ask('eth_getTransactionCount', [this.account.address, 'latest']))
    const fees = { gas: 200_000n, maxFeePerGas: parseEther('0.00000001'), maxPriorityFeePerGas: 1n }
    return this.account.signTransaction({ type: 'eip1559', chainId: chain.chainId, nonce, to, data, ...fees })
  }

  /** It is in a block then; its hash. */
  async sendSigned(transaction: Hex): Promise<Hex> {
    return this.inBlock('eth_sendRawTransaction', transaction)
  }

  /** From the chain's rich account. */
  async sendOfAnother(to: Address, data: Hex): Promise<Hex> {
    const { chain } = this.sale
    const [from] = (await chain.ask('eth_accounts', [])) as Address[]
    return this.inBlock('eth_sendTransaction', { from, to, data, gas: numberToHex(200_000) })
  }

  private async inBlock(method: string, transaction: unknown): Promise<Hex> {
    const { chain } = this.sale
    const hash = (await chain.ask(method, [transaction])) as Hex
    await chain.mine(1)
    return hash
  }
}
