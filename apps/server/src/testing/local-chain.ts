import { type ChildProcess, spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import solc from 'solc'
import { createPublicClient, createWalletClient, type Hex, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { freePort } from './free-port'

const require = createRequire(import.meta.url)
// The first account of anvil, rich on every fresh chain.
const deployer = privateKeyToAccount('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80')

const walletSource = `
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
contract Wallet {
  address immutable owner;
  constructor(address o) { owner = o; }
  function isValidSignature(bytes32 hash, bytes calldata s) external view returns (bytes4) {
    address who = ecrecover(hash, uint8(s[64]), bytes32(s[0:32]), bytes32(s[32:64]));
    return who == owner ? bytes4(0x1626ba7e) : bytes4(0xffffffff);
  }
}`

export interface LocalChain {
  readonly url: string
  /** A contract wallet (EIP-1271) whose owner is this address. */
  deployWallet(owner: string): Promise<string>
  close(): void
}

/** A real EVM chain on this machine. */
export async function startLocalChain(): Promise<LocalChain> {
  const port = await freePort()
  const platform = `${process.platform}-${process.arch === 'x64' ? 'amd64' : process.arch}`
  const binary = join(require.resolve(`@foundry-rs/anvil-${platform}/package.json`), '..', 'bin', process.platform === 'win32' ? 'anvil.exe' : 'anvil')
  const child: ChildProcess = spawn(binary, ['--port', String(port), '--chain-id', '31337', '--silent'], { stdio: 'ignore' })
  const url = `http://127.0.0.1:${port}`
  const reader = createPublicClient({ chain: foundry, transport: http(url, { retryCount: 50, retryDelay: 100 }) })
  await reader.getChainId()
  const writer = createWalletClient({ account: deployer, chain: foundry, transport: http(url) })
  return {
    url,
    async deployWallet(owner) {
      const { abi, bytecode } = compile('Wallet', walletSource)
      const hash = await writer.deployContract({ abi, bytecode, args: [owner] })
      const { contractAddress } = await reader.waitForTransactionReceipt({ hash })
      if (!contractAddress) throw new Error('the wallet was not deployed')
      return contractAddress
    },
    close: () => void child.kill('SIGKILL'),
  }
}

function compile(name: string, source: string): { abi: readonly unknown[]; bytecode: Hex } {
  const input = { language: 'Solidity', sources: { a: { content: source } }, settings: { outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } } } }
  const { contracts, errors } = JSON.parse(solc.compile(JSON.stringify(input)))
  const contract = contracts?.a?.[name]
  if (!contract) throw new Error(JSON.stringify(errors))
  return { abi: contract.abi, bytecode: `0x${contract.evm.bytecode.object}` }
}
