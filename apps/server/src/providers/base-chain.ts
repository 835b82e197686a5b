import { createPublicClient, custom, type PublicClient } from 'viem'
import * as z from 'zod/mini'
import type { Egress } from './egress'

const rpcMs = 10_000

const RpcAnswer = z.object({ result: z.optional(z.unknown()), error: z.optional(z.unknown()) })

/** A node of the chain whose address the operator configured. */
export function chainClient(egress: Egress, rpcUrl: string): PublicClient {
  const { origin, pathname, search } = new URL(rpcUrl)
  const service = egress.service({ baseUrl: origin })
  const request = async ({ method, params }: { method: string; params?: unknown }): Promise<unknown> => {
    const response = await service(`${pathname}${search}`, {
      method: 'POST',
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      headers: { 'content-type': 'application/json' },
      signal: AbortSignal.timeout(rpcMs),
    })
    const text = await response.text()
    // What says nothing is no "there is no such transaction", which is a result of null.
    if (!response.isOk) throw new Error(`the chain answered with ${response.status}`)
    const answer = z.parse(RpcAnswer, JSON.parse(text))
    if (answer.error !== undefined || answer.result === undefined) throw new Error('the chain refused the call')
    return answer.result
  }
  // Without a cache: a block number from a moment ago would hide that blocks were replaced.
  return createPublicClient({ transport: custom({ request }, { retryCount: 0 }), cacheTime: 0 })
}
