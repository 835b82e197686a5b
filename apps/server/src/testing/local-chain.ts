import { type ChildProcess, spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import {
  type Address,
  createPublicClient,
  createWalletClient,
  defineChain,
  encodeFunctionData,
  type Hex,
  http,
  parseAbi,
  parseEther,
} from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import tokenContract from './contracts/Token.json' with { type: 'json' }
import walletContract from './contracts/Wallet.json' with { type: 'json' }
import { freePort } from './free-port'

const require = createRequire(import.meta.url)
// The first account of anvil, rich on every fresh chain.
const deployer = privateKeyToAccount('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80')

export interface LocalChain {
  readonly url: string
  readonly chainId: number
  /** An ERC-20. */
  deployToken(decimals: number): Promise<Address>
  /** Somebody with coins for fees and so many whole tokens, of 18 decimals. */
  account(token: Address, tokens: bigint): Promise<PrivateKeyAccount>
  /** Gives an address coins for fees. */
  fund(address: Address): Promise<void>
  /**
   * Sends a transaction from this account, or from the rich one, and waits for its block. Answers its hash, also of one
   * that is reverted.
   */
  send(transaction: { to: Address; data: Hex; from?: PrivateKeyAccount }): Promise<Hex>
  mine(blocks: number): Promise<void>
  /**
   * Its clock comes to this time, in milliseconds, and goes on from there: a block of then is mined unless there is one
   * of later.
   */
  reach(time: number): Promise<void>
  /** A call of its JSON-RPC. Throws when it is refused. */
  ask(method: string, params: unknown[]): Promise<unknown>
  /** Remembers the chain as it is; `restore` goes back to it and drops all blocks since. */
  remember(): Promise<Hex>
  restore(point: Hex): Promise<void>
  /** A contract wallet (EIP-1271) whose owner is this address, and which makes any call that it is told to. */
  deployWallet(owner: string): Promise<string>
  close(): void
}

/** A real EVM chain on this machine. */
export async function startLocalChain({ chainId = 31_337 }: { chainId?: number } = {}): Promise<LocalChain> {
  const port = await freePort()
  const platform = `${process.platform}-${process.arch === 'x64' ? 'amd64' : process.arch}`
  const binary = join(
    require.resolve(`@foundry-rs/anvil-${platform}/package.json`),
    '..',
    'bin',
    process.platform === 'win32' ? 'anvil.exe' : 'anvil',
  )
  const child: ChildProcess = spawn(binary, ['--port', String(port), '--chain-id', String(chainId), '--silent'], {
    stdio: 'ignore',
  })
  const url = `http://127.0.0.1:${port}`
  const nativeCurrency = { name: 'Ether', symbol: 'ETH', decimals: 18 }
  const chain = defineChain({ id: chainId, name: 'Local', nativeCurrency, rpcUrls: { default: { http: [url] } } })
  const reader = createPublicClient({
    chain,
    pollingInterval: 50,
    transport: http(url, { retryCount: 50, retryDelay: 100 }),
  })
  await reader.getChainId()
  const writer = createWalletClient({ account: deployer, chain, transport: http(url) })
  const rpc = async (method: string, params: unknown[]): Promise<unknown> => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    const { result, error } = (await answer.json()) as { result: unknown; error?: { message: string } }
    if (error) throw new Error(`${method}: ${error.message}`)
    return result
  }
  const local: LocalChain = {
    url,
    chainId,
    async deployToken(decimals) {
      const { abi, bytecode } = codeOf(tokenContract)
      const { contractAddress } = await reader.waitForTransactionReceipt({
        hash: await writer.deployContract({ abi, bytecode, args: [decimals] }),
      })
      if (!contractAddress) throw new Error('the token was not deployed')
      return contractAddress
    },
    async account(token, tokens) {
      const account = privateKeyToAccount(generatePrivateKey())
      await local.fund(account.address)
      const args = [account.address, parseEther(String(tokens))] as const
      await local.send({
        to: token,
        data: encodeFunctionData({
          abi: parseAbi(['function transfer(address to, uint256 value) returns (bool)']),
          args,
        }),
      })
      return account
    },
    async fund(address) {
      await reader.waitForTransactionReceipt({
        hash: await writer.sendTransaction({ to: address, value: parseEther('1') }),
      })
    },
    async send({ from = deployer, ...transaction }) {
      // A limit of its own: a transaction that will be reverted cannot be estimated. Fixed fees: the same transaction
      // has the same hash when it is sent again after `restore`.
      const fees = { gas: 200_000n, maxFeePerGas: parseEther('0.00000001'), maxPriorityFeePerGas: 1n }
      const hash = await writer.sendTransaction({ account: from, ...fees, ...transaction })
      await reader.waitForTransactionReceipt({ hash })
      return hash
    },
    async mine(blocks) {
      await rpc('anvil_mine', [`0x${blocks.toString(16)}`])
    },
    async reach(time) {
      const seconds = Math.floor(time / 1_000)
      if (Number((await reader.getBlock()).timestamp) >= seconds) return
      await rpc('evm_setNextBlockTimestamp', [seconds])
      await local.mine(1)
    },
    ask: rpc,
    remember: async () => (await rpc('evm_snapshot', [])) as Hex,
    async restore(point) {
      if ((await rpc('evm_revert', [point])) !== true) throw new Error('the chain did not go back')
    },
    async deployWallet(owner) {
      const { abi, bytecode } = codeOf(walletContract)
      const hash = await writer.deployContract({ abi, bytecode, args: [owner] })
      const { contractAddress } = await reader.waitForTransactionReceipt({ hash })
      if (!contractAddress) throw new Error('the wallet was not deployed')
      return contractAddress
    },
    close: () => void child.kill('SIGKILL'),
  }
  return local
}

/** Compiled from the source beside it. */
function codeOf({ abi, bytecode }: { abi: readonly unknown[]; bytecode: string }): {
  abi: readonly unknown[]
  bytecode: Hex
} {
  return { abi, bytecode: bytecode as Hex }
}
