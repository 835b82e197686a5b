import {
  erc20Abi,
  getAbiItem,
  getAddress,
  type Hex,
  isAddressEqual,
  parseEventLogs,
  TransactionReceiptNotFoundError,
} from 'viem'
import { chainClient } from '../base-chain'
import type { Egress } from '../egress'

/** Addresses in lower case. */
type Transfer = { from: string; to: string; units: bigint }

/**
 * A transaction as the chain has it now; unknown: it may come yet, or come again in another block. headAt: the time of
 * the newest block that the node had before it was asked; of what is younger it knows nothing.
 */
export type ChainTransaction =
  | { state: 'unknown'; headAt: Date }
  | { state: 'reverted' }
  | { state: 'mined'; chainId: number | undefined; input: Hex; confirmations: bigint; at: Date; transfers: Transfer[] }

/** The chain of the token. Everything throws when its node cannot be reached, or is one of another chain. */
export interface TokenChain {
  decimals(token: string): Promise<number>
  /** With the transfers of this token in it. */
  read(hash: Hex, token: string): Promise<ChainTransaction>
  /**
   * The transactions of about the last `maxAgeMs` that carry this mark in their call data and transfer so much, oldest
   * first, up to the newest block that the node has, which is from `headAt`.
   */
  find(wanted: {
    token: string
    to: string
    least: bigint
    mark: Hex
    maxAgeMs: number
  }): Promise<{ hashes: Hex[]; headAt: Date }>
}

/**
 * No chain that is meant here has its blocks closer together, and nodes refuse to look through many more of them at
 * once.
 */
const blockMs = 1_000
const pageBlocks = 9_000n
/** Three days of them. */
const mostBlocks = 259_200
const mostInputs = 5_000
const transferEvent = getAbiItem({ abi: erc20Abi, name: 'Transfer' })

export function createTokenChain({
  egress,
  rpcUrl,
  chainId,
}: {
  egress: Egress
  rpcUrl: string
  chainId: number
}): TokenChain {
  const client = chainClient(egress, rpcUrl)
  const known = new Map<string, number>()
  /** Of transactions that were looked at before: a hash stands for one input for good. The oldest are forgotten. */
  const inputs = new Map<Hex, Hex>()
  const inputOf = async (hash: Hex): Promise<Hex> => {
    const seen = inputs.get(hash)
    if (seen !== undefined) return seen
    const { input } = await client.getTransaction({ hash })
    const [oldest] = inputs.keys()
    if (oldest !== undefined && inputs.size >= mostInputs) inputs.delete(oldest)
    inputs.set(hash, input)
    return input
  }
  const requireChain = async (): Promise<void> => {
    if ((await client.getChainId()) !== chainId)
      throw new Error('the node of BASE_RPC_URL is one of another chain than BASE_CHAIN_ID')
  }

  return {
    async decimals(token) {
      const decimals = known.get(token)
      if (decimals !== undefined) return decimals
      await requireChain()
      const read = await client.readContract({ address: getAddress(token), abi: erc20Abi, functionName: 'decimals' })
      known.set(token, read)
      return read
    },

    async read(hash, token) {
      await requireChain()
      // Before the rest: blocks that came while it was asked for are no proof of what may have been dropped meanwhile.
      const head = await client.getBlock()
      const headAt = timeOf(head)
      const receipt = await client.getTransactionReceipt({ hash }).catch((error: unknown) => {
        if (error instanceof TransactionReceiptNotFoundError) return undefined
        throw error
      })
      if (!receipt) return { state: 'unknown', headAt }
      const { blockNumber, blockHash, status, logs } = receipt
      const [block, transaction] = await Promise.all([
        client.getBlock({ blockNumber }),
        client.getTransaction({ hash }),
      ])
      // Meanwhile another block took its place.
      if (block.hash !== blockHash) return { state: 'unknown', headAt }
      if (status !== 'success') return { state: 'reverted' }
      const transfers = parseEventLogs({ abi: erc20Abi, eventName: 'Transfer', logs })
        .filter(({ address }) => isAddressEqual(address, getAddress(token)))
        .map(({ args: { from, to, value } }) => ({ from: from.toLowerCase(), to: to.toLowerCase(), units: value }))
      return {
        state: 'mined',
        chainId: transaction.chainId,
        input: transaction.input,
        confirmations: head.number - blockNumber + 1n,
        at: timeOf(block),
        transfers,
      }
    },

    async find({ token, to, least, mark, maxAgeMs }) {
      await requireChain()
      const head = await client.getBlock()
      const blocks = BigInt(Math.min(Math.ceil(maxAgeMs / blockMs), mostBlocks))
      const fromBlock = head.number > blocks ? head.number - blocks : 0n
      const wanted = { address: getAddress(token), event: transferEvent, args: { to: getAddress(to) } }
      const hashes = new Set<Hex>()
      for (let from = fromBlock; from <= head.number; from += pageBlocks) {
        const last = from + pageBlocks - 1n
        const logs = await client.getLogs({
          ...wanted,
          fromBlock: from,
          toBlock: last < head.number ? last : head.number,
        })
        for (const { args, transactionHash } of logs) if ((args.value ?? 0n) >= least) hashes.add(transactionHash)
      }
      const marked: Hex[] = []
      for (const hash of hashes) {
        const input = await inputOf(hash)
        if (input.toLowerCase().includes(mark.slice(2))) marked.push(hash)
      }
      return { hashes: marked, headAt: timeOf(head) }
    },
  }
}

function timeOf({ timestamp }: { timestamp: bigint }): Date {
  return new Date(Number(timestamp) * 1_000)
}
