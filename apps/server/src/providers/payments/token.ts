import { erc20Abi, getAddress, type Hex, isAddressEqual, parseEventLogs, TransactionReceiptNotFoundError } from 'viem'
import { chainClient } from '../base-chain'
import type { Egress } from '../egress'

/** Addresses in lower case. */
type Transfer = { from: string; to: string; units: bigint }

/** A transaction as the chain has it now; unknown: it may come yet, or come again in another block. */
export type ChainTransaction =
  | { state: 'unknown' }
  | { state: 'reverted' }
  | { state: 'mined'; chainId: number | undefined; input: Hex; confirmations: bigint; at: Date; transfers: Transfer[] }

/** The chain of the token. Everything throws when its node cannot be reached, or is one of another chain. */
export interface TokenChain {
  decimals(token: string): Promise<number>
  /** With the transfers of this token in it. */
  read(hash: Hex, token: string): Promise<ChainTransaction>
}

export function createTokenChain({ egress, rpcUrl, chainId }: { egress: Egress; rpcUrl: string; chainId: number }): TokenChain {
  const client = chainClient(egress, rpcUrl)
  const known = new Map<string, number>()
  const requireChain = async (): Promise<void> => {
    if ((await client.getChainId()) !== chainId) throw new Error('the node of BASE_RPC_URL is one of another chain than BASE_CHAIN_ID')
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
      const receipt = await client.getTransactionReceipt({ hash }).catch((error: unknown) => {
        if (error instanceof TransactionReceiptNotFoundError) return undefined
        throw error
      })
      if (!receipt) return { state: 'unknown' }
      const { blockNumber, blockHash, status, logs } = receipt
      const [block, transaction, head] = await Promise.all([client.getBlock({ blockNumber }), client.getTransaction({ hash }), client.getBlockNumber()])
      // Meanwhile another block took its place.
      if (block.hash !== blockHash) return { state: 'unknown' }
      if (status !== 'success') return { state: 'reverted' }
      const transfers = parseEventLogs({ abi: erc20Abi, eventName: 'Transfer', logs })
        .filter(({ address }) => isAddressEqual(address, getAddress(token)))
        .map(({ args: { from, to, value } }) => ({ from: from.toLowerCase(), to: to.toLowerCase(), units: value }))
      return {
        state: 'mined',
        chainId: transaction.chainId,
        input: transaction.input,
        confirmations: head - blockNumber + 1n,
        at: new Date(Number(block.timestamp) * 1_000),
        transfers,
      }
    },
  }
}
