import * as z from 'zod/mini'
import type { Egress } from './egress'

/** A transaction that is in a checkpoint: it will not change any more. */
export type ExecutedTransaction = {
  digest: string
  /** BCS in base64: the transaction and, behind it, its signatures. */
  raw: string
  signatures: string[]
  isSuccess: boolean
  checkpoint: string
  at: Date
}

type Event = { transaction: string; type: string; json: unknown }
type EventPage = { events: Event[]; next: unknown }

/** A node of the Sui chain. Every call throws where the node says nothing that can be read. */
export interface SuiNode {
  /** Undefined where the node does not know it, or has it in no checkpoint yet. */
  transaction(digest: string): Promise<ExecutedTransaction | undefined>
  /**
   * Of all transactions of a sender, the newest first. `after`: the `next` of the page before; it is undefined on the
   * last one.
   */
  eventsOf(sender: string, page: { size: number; after: unknown }): Promise<EventPage>
}

const rpcMs = 10_000

const RpcAnswer = z.object({
  result: z.optional(z.unknown()),
  error: z.optional(z.object({ code: z.number(), message: z.string() })),
})

const Transaction = z.object({
  digest: z.string(),
  rawTransaction: z.string(),
  transaction: z.object({ txSignatures: z.array(z.string()) }),
  effects: z.object({ status: z.object({ status: z.enum(['success', 'failure']) }) }),
  checkpoint: z.nullish(z.string().check(z.regex(/^\d+$/))),
  timestampMs: z.nullish(z.string().check(z.regex(/^\d{1,15}$/))),
})

const Events = z.object({
  data: z.array(
    z.object({ id: z.object({ txDigest: z.string() }), type: z.string(), parsedJson: z.optional(z.unknown()) }),
  ),
  hasNextPage: z.boolean(),
  nextCursor: z.nullish(z.unknown()),
})

/** The JSON-RPC of a node whose address the operator configured. */
export function createSuiNode({ egress, rpcUrl }: { egress: Egress; rpcUrl: string }): SuiNode {
  const { origin, pathname, search } = new URL(rpcUrl)
  const service = egress.service({ baseUrl: origin })

  async function ask(method: string, params: unknown[]): Promise<unknown> {
    const response = await service(`${pathname}${search}`, {
      method: 'POST',
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      headers: { 'content-type': 'application/json' },
      signal: AbortSignal.timeout(rpcMs),
    })
    const text = await response.text()
    if (!response.isOk) throw new Error(`the Sui node answered with ${response.status}`)
    const { result, error } = z.parse(RpcAnswer, JSON.parse(text))
    if (error) throw new RefusedError(error.message)
    return result
  }

  return {
    async transaction(digest) {
      const found = await ask('sui_getTransactionBlock', [
        digest,
        { showInput: true, showRawInput: true, showEffects: true },
      ]).catch((error: unknown) => {
        // What the node does not know yet is told as an error with the code of a wrong parameter.
        if (error instanceof RefusedError && /could not find the referenced transaction/i.test(error.message))
          return undefined
        throw error
      })
      if (found === undefined) return undefined
      const {
        rawTransaction: raw,
        transaction,
        effects,
        checkpoint,
        timestampMs,
        digest: named,
      } = z.parse(Transaction, found)
      if (named !== digest) throw new Error('the Sui node answered with another transaction')
      // Executed by some validators, and not final.
      if (!checkpoint || !timestampMs) return undefined
      return {
        digest,
        raw,
        signatures: transaction.txSignatures,
        isSuccess: effects.status.status === 'success',
        checkpoint,
        at: new Date(Number(timestampMs)),
      }
    },
    async eventsOf(sender, { size, after }) {
      const { data, hasNextPage, nextCursor } = z.parse(
        Events,
        await ask('suix_queryEvents', [{ Sender: sender }, after ?? null, size, true]),
      )
      const events = data.map(({ id, type, parsedJson }) => ({ transaction: id.txDigest, type, json: parsedJson }))
      return { events, next: hasNextPage ? (nextCursor ?? undefined) : undefined }
    },
  }
}

/** The node understood the call and says no. */
class RefusedError extends Error {
  override name = 'RefusedError'
}
