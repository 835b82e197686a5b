import { AppError } from '@parley/contract/errors'
import { limits } from '@parley/contract/limits/shared'
import {
  type AnchorClaim,
  anchorEvent,
  anchorIn,
  anchorModule,
  anchorProblem,
  type SuiAnchor,
  type SuiAnchors,
  transactionIn,
} from '@parley/contract/sui-anchor'
import { base58 } from '@scure/base'
import * as z from 'zod/mini'
import type { Db } from '../../db/client'
import type { ExecutedTransaction, SuiNode } from '../../providers/sui-node'
import { suiCrypto } from '../../providers/wallets/sui-crypto'
import type { AgentService } from './agent-service'
import type { Viewer } from './agent-store'
import { findHead, readVersions, type StoredVersion } from './sui-agent-store'
import { deleteOtherAnchors, insertAnchor, readAnchors, type StoredAnchor } from './sui-anchor-store'

type Deps = {
  db: Db
  agents: AgentService
  /** Undefined where the operator has not configured anchoring. */
  chain: { node: SuiNode; package: string } | undefined
}

const { anchorEventsPage, maxAnchorEventPages, anchorsAtOnce } = limits.agents.sui
const away: SuiAnchor['chain'] = 'away'
const tools = { sui: suiCrypto, toBase58: (bytes: Uint8Array) => base58.encode(bytes) }

/**
 * Anchors: digests of wallets' agents that are published on the Sui chain: docs/agents.md. Every stored anchor was
 * verified against the chain, and contains what a reader needs to verify the wallet's signature again.
 */
export class SuiAnchorService {
  constructor(private readonly deps: Deps) {}

  /** At the start: deletes anchors of other packages, such as one of a test network. */
  async deleteOtherPackages(): Promise<void> {
    const { db, chain } = this.deps
    if (chain) await deleteOtherAnchors(db, chain.package)
  }

  /** The stored anchors, each with whether the chain confirms it. Throws agent.private, agent.not-found. */
  async list(viewer: Viewer, id: string): Promise<SuiAnchors> {
    const { db, agents, chain } = this.deps
    await agents.get(viewer, id)
    if (!chain) return { anchors: [] }
    const pending = await readAnchors(db, id)
    const anchors: SuiAnchor[] = []
    let isAway = false
    while (pending.length > 0) {
      const requests = pending.splice(0, anchorsAtOnce).map(async (anchor) => ({
        ...toAnchor(anchor),
        chain: isAway ? away : await chainStatus(chain.node, anchor),
      }))
      const answers = await Promise.all(requests)
      anchors.push(...answers)
      // Stops asking an unreachable node: each further anchor would wait for its timeout.
      isAway = answers.every((answer) => answer.chain === 'away')
    }
    return { anchors }
  }

  /**
   * Stores the anchor of this transaction; without one, looks for all that the wallet has sent. Idempotent. Throws
   * sui.anchor-off, agent.private, agent.not-found, sui.chain-away; for a transaction that is no valid anchor
   * sui.anchor-pending, sui.anchor-failed, sui.anchor-foreign, sui.anchor-other.
   */
  async record(userId: string, id: string, transaction: string | undefined): Promise<SuiAnchors> {
    const { db, agents, chain } = this.deps
    if (!chain) throw new AppError('sui.anchor-off')
    const agent = await agents.get(userId, id)
    const head = await findHead(db, id)
    if (agent.userId !== userId || !head) throw new AppError('agent.not-found')
    const known = new Set((await readAnchors(db, id)).map((anchor) => anchor.transaction))
    const versions = await readVersions(db, id)
    if (transaction === undefined) {
      for (const candidate of await this.findTransactions(head.address, id)) {
        if (!known.has(candidate))
          await this.verifyAndStore(candidate, { id, author: head.address, versions }).catch(ignoreRefusal)
      }
    } else if (!known.has(transaction)) await this.verifyAndStore(transaction, { id, author: head.address, versions })
    return this.list(userId, id)
  }

  private async verifyAndStore(
    transaction: string,
    { id, author, versions }: { id: string; author: string; versions: readonly StoredVersion[] },
  ): Promise<void> {
    const { db, chain } = this.deps
    const executed = await this.query((node) => node.transaction(transaction))
    if (!executed || !chain) throw new AppError('sui.anchor-pending')
    if (!executed.isSuccess) throw new AppError('sui.anchor-failed')
    const { bytes, claim } = callOf(executed)
    const version = versions.find(({ digest }) => digest === claim.manifest)
    if (!version) throw new AppError('sui.anchor-other')
    const expected: AnchorClaim = {
      package: chain.package,
      author,
      agent: id,
      version: version.version,
      manifest: version.digest,
    }
    const problems = executed.signatures.map((signature) =>
      anchorProblem({ transaction, bytes, signature }, expected, tools),
    )
    const signature = executed.signatures[problems.indexOf(undefined)]
    if (signature === undefined) throw new AppError(problems[0] ?? 'sui.anchor-other')
    const { checkpoint, at } = executed
    await insertAnchor(db, {
      agentId: id,
      version: version.version,
      transaction,
      package: chain.package,
      bytes,
      signature,
      checkpoint,
      at,
    })
  }

  /**
   * Transactions of a wallet whose events name this agent, oldest first, because the first of two anchors of a version
   * is stored.
   */
  private async findTransactions(address: string, id: string): Promise<string[]> {
    const type = `${this.deps.chain?.package}::${anchorModule}::${anchorEvent}`
    const found: string[] = []
    let after: unknown
    for (let page = 0; page < maxAnchorEventPages; page++) {
      const { events, next } = await this.query((node) => node.eventsOf(address, { size: anchorEventsPage, after }))
      found.push(
        ...events
          .filter((event) => isSameType(event.type, type) && agentIn(event.json) === id)
          .map(({ transaction }) => transaction),
      )
      if (next === undefined) break
      after = next
    }
    return [...new Set(found)].reverse()
  }

  private async query<T>(request: (node: SuiNode) => Promise<T>): Promise<T> {
    const { chain } = this.deps
    if (!chain) throw new AppError('sui.anchor-off')
    try {
      return await request(chain.node)
    } catch (error) {
      throw new AppError('sui.chain-away', { cause: error })
    }
  }
}

/** Throws sui.anchor-other. */
function callOf({ raw, signatures }: ExecutedTransaction): { bytes: string; claim: AnchorClaim } {
  const bytes = transactionIn(raw, signatures)
  const claim = bytes === undefined ? undefined : anchorIn(bytes)
  if (bytes === undefined || !claim) throw new AppError('sui.anchor-other')
  return { bytes, claim }
}

async function chainStatus(node: SuiNode, { transaction }: StoredAnchor): Promise<SuiAnchor['chain']> {
  try {
    return (await node.transaction(transaction))?.isSuccess ? 'confirmed' : 'missing'
  } catch {
    return 'away'
  }
}

/** A candidate need not be a valid anchor; only an unreachable chain is reported. */
function ignoreRefusal(error: unknown): void {
  if (!(error instanceof AppError) || error.code === 'sui.chain-away' || !error.code.startsWith('sui.')) throw error
}

const toAnchor = ({
  version,
  transaction,
  bytes,
  signature,
  checkpoint,
  at,
}: StoredAnchor): Omit<SuiAnchor, 'chain'> => ({
  ...{ version, transaction, bytes, signature, checkpoint },
  at: at.toISOString(),
})

const AnchoredEvent = z.object({ agent: z.string() })

function agentIn(json: unknown): string | undefined {
  const { data } = z.safeParse(AnchoredEvent, json)
  return data && fullAddress(data.agent)
}

/** Nodes write addresses with or without leading zeros. */
const fullAddress = (address: string): string => `0x${address.replace(/^0x/i, '').toLowerCase().padStart(64, '0')}`

function isSameType(type: string, expected: string): boolean {
  const [packageId = '', ...rest] = type.split('::')
  return [fullAddress(packageId), ...rest].join('::') === expected
}
