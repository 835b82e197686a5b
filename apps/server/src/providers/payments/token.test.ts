import { encodeAbiParameters, encodeEventTopics, erc20Abi, type Hex, numberToHex } from 'viem'
import { expect, it, onTestFinished } from 'vitest'
import { startStandIn } from '../../testing/http-stand-in'
import { createEgress } from '../egress'
import { createTokenChain } from './token'

const [token, from, to] = [`0x${'7'.repeat(40)}`, `0x${'1'.repeat(40)}`, `0x${'2'.repeat(40)}`] as const
const head = 1_000_000
const mark = `0x${'ab'.repeat(16)}` as const
const hashOf = (block: number): Hex => numberToHex(block, { size: 32 })
const daySeconds = 86_400

/**
 * A node whose chain has a marked transfer in each of these blocks, and which looks through so many at once as those of
 * the big services.
 */
async function aNode(blocks: readonly number[]) {
  const asked: { from: number; to: number }[] = []
  const log = (block: number) => ({
    address: token,
    topics: encodeEventTopics({ abi: erc20Abi, eventName: 'Transfer', args: { from, to } }),
    data: encodeAbiParameters([{ type: 'uint256' }], [5n]),
    ...{
      blockNumber: numberToHex(block),
      blockHash: hashOf(block),
      transactionHash: hashOf(block),
      transactionIndex: '0x0',
      logIndex: '0x0',
      removed: false,
    },
  })
  const logs = ({ fromBlock, toBlock }: { fromBlock: Hex; toBlock: Hex }) => {
    const range = { from: Number(fromBlock), to: toBlock.startsWith('0x') ? Number(toBlock) : head }
    asked.push(range)
    const isTooWide = range.to - range.from >= 10_000
    return isTooWide ? undefined : blocks.filter((block) => block >= range.from && block <= range.to).map(log)
  }
  const node = await startStandIn(({ body }) => {
    const { method, params } = JSON.parse(body)
    const results: Record<string, () => unknown> = {
      eth_chainId: () => '0x2105',
      eth_blockNumber: () => numberToHex(head),
      eth_getBlockByNumber: () => ({ number: numberToHex(head), timestamp: numberToHex(daySeconds), transactions: [] }),
      eth_getLogs: () => logs(params[0]),
      eth_getTransactionByHash: () => ({ hash: params[0], input: `0xa9059cbb${mark.slice(2)}` }),
    }
    const result = results[method]?.()
    return {
      status: 200,
      json: {
        jsonrpc: '2.0',
        id: 1,
        ...(result === undefined ? { error: { code: -32_600, message: 'too wide' } } : { result }),
      },
    }
  })
  onTestFinished(() => node.close())
  const chain = createTokenChain({ egress: createEgress(), rpcUrl: node.url, chainId: 8453 })
  return { asked, find: (maxAgeMs: number) => chain.find({ token, to, least: 5n, mark, maxAgeMs }) }
}

it('finds the transfers of a payment however many blocks have come since, oldest first, each once, in steps that nodes look through', async () => {
  const blocks = [head - 20_000, head - 18_000, head - 9_001, head - 9_000, head - 8_999, head - 1, head]
  const { find, asked } = await aNode(blocks)
  expect(await find(20_000 * 1_000)).toEqual({ hashes: blocks.map(hashOf), headAt: new Date(daySeconds * 1_000) })
  expect([asked[0]?.from, asked.at(-1)?.to]).toEqual([head - 20_000, head])
  for (const [n, { from }] of asked.entries()) if (n > 0) expect(from).toBe((asked[n - 1]?.to ?? 0) + 1)
})

it('looks no further back than three days of blocks, and through none that are older than what it looks for', async () => {
  const { find, asked } = await aNode([head - 3 * daySeconds - 1, head - 3 * daySeconds, head - 60])
  expect((await find(30 * daySeconds * 1_000)).hashes).toEqual([head - 3 * daySeconds, head - 60].map(hashOf))
  asked.splice(0)
  expect((await find(59_000)).hashes).toEqual([])
  expect(asked).toEqual([{ from: head - 59, to: head }])
})
