// A node of the Sui chain on this machine: it takes signed transactions by JSON-RPC, checks and executes them as far as
// the anchoring package goes, and shows them. Bytes, digests and signatures are the Sui library's.
import { bcs } from '@mysten/sui/bcs'
import { SuiClient } from '@mysten/sui/client'
import { Transaction, TransactionDataBuilder } from '@mysten/sui/transactions'
import { fromBase64, toHex } from '@mysten/sui/utils'
import { verifyTransactionSignature } from '@mysten/sui/verify'
import { type StandInAnswer, type StandInCall, startStandIn } from './http-stand-in'

/** Any object can pay here. */
const coin = { objectId: `0x${'c0'.repeat(32)}`, version: '1', digest: '11111111111111111111111111111111' }

type Executed = {
  digest: string
  sender: string
  raw: string
  signatures: string[]
  failure: string | undefined
  event: { type: string; json: Record<string, unknown> } | undefined
  checkpoint: number
  at: number
}

type Keypair = { toSuiAddress(): string; signTransaction(bytes: Uint8Array): Promise<{ signature: string }> }

export interface SuiNodeStandIn {
  readonly url: string
  /** An anchoring package that is published on this chain. */
  readonly package: string
  /** How often it was asked for anything. */
  readonly calls: number
  /** Answers 503 to everything. */
  isDown: boolean
  /** It shows nothing of what was executed since it began to lag. */
  isLagging: boolean
  /** What it shows is in no checkpoint yet. */
  hasNoCheckpoints: boolean
  /** What a wallet does with a transaction of the page: fees, bytes, signature, execution. Answers its digest. */
  send(wallet: Keypair, transaction: string): Promise<string>
  close(): Promise<void>
}

type Options = { showInput?: boolean; showRawInput?: boolean; showEffects?: boolean; showEvents?: boolean }

export async function startSuiNode(): Promise<SuiNodeStandIn> {
  const packageId = `0x${toHex(crypto.getRandomValues(new Uint8Array(32)))}`
  const executed: Executed[] = []
  let [calls, seen] = [0, 0]
  const shown = (): Executed[] => executed.slice(0, node.isLagging ? seen : executed.length)

  async function answer({ body }: StandInCall): Promise<StandInAnswer> {
    calls += 1
    if (node.isDown) return { status: 503, json: { message: 'unavailable' } }
    if (!node.isLagging) seen = executed.length
    const {
      id,
      method,
      params = [],
      jsonrpc,
    } = JSON.parse(body) as { id: unknown; method: string; params?: unknown[]; jsonrpc: string }
    const refuse = (code: number, message: string) => ({
      status: 200,
      json: { jsonrpc: '2.0', id, error: { code, message } },
    })
    if (jsonrpc !== '2.0') return refuse(-32600, 'Invalid request')
    try {
      if (method === 'sui_executeTransactionBlock')
        return { status: 200, json: { jsonrpc, id, result: await execute(params) } }
      if (method === 'suix_queryEvents') return { status: 200, json: { jsonrpc, id, result: events(params) } }
      if (method !== 'sui_getTransactionBlock') return refuse(-32601, 'Method not found')
      const [digest, options = {}] = params as [string, Options]
      const found = shown().find((one) => one.digest === digest)
      return found
        ? {
            status: 200,
            json: { jsonrpc, id, result: blockOf(found, { ...options, hasNoCheckpoint: node.hasNoCheckpoints }) },
          }
        : refuse(-32602, `Could not find the referenced transaction [TransactionDigest(${digest})].`)
    } catch (error) {
      return refuse(-32002, String(error))
    }
  }

  async function execute([bytes = '', signatures = []]: unknown[]): Promise<unknown> {
    const data = fromBase64(String(bytes))
    const { sender } = bcs.TransactionData.parse(data).V1
    const given = signatures as string[]
    await verifyTransactionSignature(data, given[0] ?? '', { address: sender })
    const digest = TransactionDataBuilder.getDigestFromBytes(data)
    const intentMessage = {
      intent: { scope: { TransactionData: true }, version: { V0: true }, appId: { Sui: true } },
      value: bcs.TransactionData.parse(data),
    } as const
    const raw = bcs.SenderSignedData.serialize([{ intentMessage, txSignatures: given }]).toBase64()
    const { failure, event } = run(data)
    executed.push({
      digest,
      sender,
      raw,
      signatures: given,
      failure,
      event,
      checkpoint: 81_204_377 + executed.length,
      at: Date.now(),
    })
    return { digest, effects: effectsOf(failure) }
  }

  function events([filter, cursor, limit, isDescending]: unknown[]): unknown {
    const { Sender: sender } = filter as { Sender: string }
    const all = shown().filter((one) => one.event && one.sender === sender)
    if (isDescending) all.reverse()
    const from =
      cursor === null ? 0 : all.findIndex(({ digest }) => digest === (cursor as { txDigest: string }).txDigest) + 1
    const some = all.slice(from, from + Number(limit))
    const last = some.at(-1)
    const data = some.map(({ digest, event, at }) => ({
      ...{
        id: { txDigest: digest, eventSeq: '0' },
        packageId: event?.type.split('::')[0],
        transactionModule: 'anchor',
        sender,
      },
      ...{ type: event?.type, parsedJson: event?.json, bcsEncoding: 'base64', bcs: '', timestampMs: String(at) },
    }))
    return {
      data,
      nextCursor: last ? { txDigest: last.digest, eventSeq: '0' } : null,
      hasNextPage: from + some.length < all.length,
    }
  }

  const server = await startStandIn(answer)
  const node: SuiNodeStandIn = {
    url: server.url,
    package: packageId,
    get calls() {
      return calls
    },
    isDown: false,
    isLagging: false,
    hasNoCheckpoints: false,
    async send(wallet, transaction) {
      const built = Transaction.from(transaction)
      built.setSenderIfNotSet(wallet.toSuiAddress())
      built.setGasPayment([coin])
      built.setGasPrice(1_000)
      // No two transactions are the same: the wallet's coins change with each.
      built.setGasBudget(5_000_000 + executed.length)
      const bytes = await built.build()
      const { signature } = await wallet.signTransaction(bytes)
      return (await new SuiClient({ url: server.url }).executeTransactionBlock({ transactionBlock: bytes, signature }))
        .digest
    },
    close: () => server.close(),
  }
  return node
}

/** What deploy/sui/agent-anchor does, and nothing of any other package. */
function run(data: Uint8Array): Pick<Executed, 'failure' | 'event'> {
  const { kind, sender } = bcs.TransactionData.parse(data).V1
  const { inputs = [], commands = [] } = kind.ProgrammableTransaction ?? {}
  const call = commands[0]?.MoveCall
  if (call?.module !== 'anchor' || call.function !== 'publish') return { failure: 'FunctionNotFound', event: undefined }
  const [agent, version, manifest] = call.arguments.map((argument) =>
    fromBase64(inputs[argument.Input ?? -1]?.Pure?.bytes ?? ''),
  )
  const digest = bcs.byteVector().parse(manifest ?? new Uint8Array(1))
  if (digest.length !== 32)
    return { failure: 'MoveAbort(MoveLocation { module: anchor, function: 0 }, 0) in command 0', event: undefined }
  const json = {
    agent: `0x${toHex(agent ?? new Uint8Array())}`,
    version: bcs.u64().parse(version ?? new Uint8Array(8)),
    manifest: [...digest],
    author: sender,
  }
  return { failure: undefined, event: { type: `${call.package}::anchor::Anchored`, json } }
}

const effectsOf = (failure: string | undefined) => ({
  messageVersion: 'v1',
  status: failure ? { status: 'failure', error: failure } : { status: 'success' },
})

function blockOf(
  { digest, sender, raw, signatures, failure, event, checkpoint, at }: Executed,
  options: Options & { hasNoCheckpoint: boolean },
): unknown {
  return {
    digest,
    ...(options.showInput ? { transaction: { data: { messageVersion: 'v1', sender }, txSignatures: signatures } } : {}),
    ...(options.showRawInput ? { rawTransaction: raw } : {}),
    ...(options.showEffects ? { effects: effectsOf(failure) } : {}),
    ...(options.showEvents ? { events: event ? [event] : [] } : {}),
    ...(options.hasNoCheckpoint ? {} : { timestampMs: String(at), checkpoint: String(checkpoint) }),
  }
}
