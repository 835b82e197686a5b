// Anchors: transactions in which a wallet publishes the digest of a version that it signed. Read alike by the server,
// which asks the chain, and by the reader's browser, which believes neither. docs/agents.md says what remains to be
// trusted.
import * as z from 'zod/mini'
import { BcsReader, uleb128 } from './bcs-reader'
import type { ErrorCode } from './errors'
import { limits } from './limits/shared'
import { route } from './route'
import { checkSuiTransaction, fromBase64, joined, type SuiCrypto, toHex } from './sui-signature'

/** Of the operator's Move package: deploy/sui/agent-anchor. */
export const anchorModule = 'anchor'
const anchorFunction = 'publish'
export const anchorEvent = 'Anchored'

const { maxTransaction } = limits.agents.sui
const text = (maximum: number) => z.string().check(z.maxLength(maximum))

/** A transaction as the chain executed it: its digest, its bytes and what its sender signed them with. */
export const AnchorProof = z.object({
  transaction: z.string().check(z.regex(/^[1-9A-HJ-NP-Za-km-z]{40,44}$/)),
  bytes: text(maxTransaction),
  signature: text(maxTransaction),
})
export type AnchorProof = z.infer<typeof AnchorProof>

/** confirmed: the chain was asked just now and shows it. missing: it does not know it. away: it did not answer. */
const ChainSays = z.enum(['confirmed', 'missing', 'away'])

const SuiAnchor = z.extend(AnchorProof, {
  version: z.int(),
  checkpoint: z.string(),
  at: z.iso.datetime(),
  chain: ChainSays,
})
export type SuiAnchor = z.infer<typeof SuiAnchor>

/** The last version first. */
const SuiAnchors = z.object({ anchors: z.array(SuiAnchor) })
export type SuiAnchors = z.infer<typeof SuiAnchors>

const Id = z.object({ id: z.string().check(z.minLength(1), z.maxLength(200)) })

export const suiAnchorRoutes = {
  list: route({
    method: 'GET',
    path: '/v1/sui/assistant/:id/anchors',
    params: Id,
    response: SuiAnchors,
    summary: 'Its anchors; the chain is asked for each',
  }),
  record: route({
    method: 'POST',
    path: '/v1/sui/assistant/:id/anchors',
    params: Id,
    /** Without a transaction those that the wallet has sent before are looked for. */
    body: z.object({ transaction: z.optional(AnchorProof.shape.transaction) }),
    response: SuiAnchors,
    summary: "Keeps the anchors of one's own agent that the chain shows",
  }),
} as const

/** What an anchor says: this wallet published this digest of this version. */
export type AnchorClaim = { package: string; author: string; agent: string; version: number; manifest: string }

type Tools = { sui: SuiCrypto; toBase58: (bytes: Uint8Array) => string }

/** A transaction for a wallet, in the form that wallets of the standard take: they add coins and fees and encode it. */
export function anchorTransaction({ package: packageId, author, agent, version, manifest }: AnchorClaim): string {
  const inputs = [fromHex(agent), u64(version), [...uleb128(32), ...fromHex(manifest)]]
  const call = { package: packageId, module: anchorModule, function: anchorFunction, typeArguments: [] }
  return JSON.stringify({
    version: 2,
    sender: author,
    expiration: null,
    gasData: { budget: null, price: null, owner: null, payment: null },
    inputs: inputs.map((bytes) => ({ Pure: { bytes: btoa(String.fromCharCode(...bytes)) } })),
    commands: [{ MoveCall: { ...call, arguments: inputs.map((_, place) => ({ Input: place })) } }],
  })
}

/**
 * Why a transaction is no anchor of this version; undefined: it is one. Says nothing of whether the chain executed it.
 * Throws nothing.
 */
export function anchorProblem(
  { transaction, bytes, signature }: AnchorProof,
  claim: AnchorClaim,
  { sui, toBase58 }: Tools,
): Extract<ErrorCode, 'sui.anchor-other' | 'sui.anchor-foreign'> | undefined {
  const read = readCall(bytes)
  if (!read || toBase58(transactionDigest(read.data, sui)) !== transaction) return 'sui.anchor-other'
  const { package: packageId, agent, version, manifest } = read.claim
  const isSame =
    packageId === claim.package && agent === claim.agent && version === claim.version && manifest === claim.manifest
  if (!isSame) return 'sui.anchor-other'
  const isSigned = checkSuiTransaction({ address: claim.author, bytes: read.data, signature }, sui).isGood
  return read.claim.author === claim.author && isSigned ? undefined : 'sui.anchor-foreign'
}

/** What a transaction anchors; undefined where it does something else, or something besides. */
export const anchorIn = (bytes: string): AnchorClaim | undefined => readCall(bytes)?.claim

function readCall(bytes: string): { claim: AnchorClaim; data: Uint8Array } | undefined {
  try {
    const data = fromBase64(bytes)
    return { claim: claimIn(new BcsReader(data)), data }
  } catch {
    return undefined
  }
}

/**
 * Of `TransactionData` what is before the fees: one call with three plain arguments, and the sender. Throws RangeError
 * for anything else.
 */
function claimIn(reader: BcsReader): AnchorClaim {
  // Version 1, a programmable transaction.
  reader.expect(0)
  reader.expect(0)
  const inputs = reader.list(() => {
    reader.expect(0)
    return reader.sized()
  }, 3)
  // One command: a call.
  reader.expect(1)
  reader.expect(0)
  const packageId = addressIn(reader.take(32))
  const [moduleName, functionName] = [textIn(reader.sized()), textIn(reader.sized())]
  reader.expect(0)
  const order = reader.list(() => {
    reader.expect(1)
    return reader.u16()
  }, 3)
  const author = addressIn(reader.take(32))
  const [agent, version, manifest] = inputs
  const isCall = moduleName === anchorModule && functionName === anchorFunction && order.join() === '0,1,2'
  if (!isCall || !agent || agent.length !== 32 || !version || manifest?.length !== 33 || manifest[0] !== 32)
    throw new RangeError('another call')
  return {
    package: packageId,
    author,
    agent: addressIn(agent),
    version: numberIn(version),
    manifest: toHex(manifest.subarray(1)),
  }
}

/**
 * A transaction's bytes out of what a node calls `rawTransaction`, which has its signatures behind them. Undefined
 * where it is none.
 */
export function transactionIn(raw: string, signatures: readonly string[]): string | undefined {
  try {
    const bytes = fromBase64(raw)
    const tail = [...uleb128(signatures.length), ...signatures.flatMap((signature) => sized(fromBase64(signature)))]
    // One transaction, with the intent that transactions are signed with.
    const isOne =
      toHex(bytes.subarray(0, 4)) === '01000000' && toHex(bytes.subarray(-tail.length)) === toHex(Uint8Array.from(tail))
    return isOne
      ? btoa(Array.from(bytes.subarray(4, -tail.length), (byte) => String.fromCharCode(byte)).join(''))
      : undefined
  } catch {
    return undefined
  }
}

const transactionDigest = (data: Uint8Array, { blake2b256 }: SuiCrypto): Uint8Array =>
  blake2b256(joined(new TextEncoder().encode('TransactionData::'), data))

const sized = (bytes: Uint8Array): number[] => [...uleb128(bytes.length), ...bytes]
const addressIn = (bytes: Uint8Array): string => `0x${toHex(bytes)}`
const textIn = (bytes: Uint8Array): string => String.fromCharCode(...bytes)
const fromHex = (hex: string): number[] =>
  (hex.replace(/^0x/, '').match(/../g) ?? []).map((byte) => Number.parseInt(byte, 16))
/** Little-endian; numbers of versions are small. */
const u64 = (value: number): number[] => Array.from({ length: 8 }, (_, place) => Math.floor(value / 256 ** place) % 256)

function numberIn(bytes: Uint8Array): number {
  const value = bytes.reduceRight((sum, byte) => sum * 256 + byte, 0)
  if (bytes.length !== 8 || !Number.isSafeInteger(value)) throw new RangeError('no version')
  return value
}
