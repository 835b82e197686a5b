import { AppError } from '@parley/contract/errors'
import { limits } from '@parley/contract/limits'
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
  /** Undefined where nothing is anchored. */
  chain: { node: SuiNode; package: string } | undefined
}

const { anchorEventsPage, maxAnchorEventPages, anchorsAtOnce } = limits.agents.sui
const awayNow: SuiAnchor['chain'] = 'away'
const tools = { sui: suiCrypto, toBase58: (bytes: Uint8Array) => base58.encode(bytes) }

/** Published digests of wallets' agents: docs/agents.md. What is kept here was checked against the chain; whoever reads it can check the wallet's part again. */
export class SuiAnchorService {
  constructor(private readonly deps: Deps) {}

  /** At the start: what was anchored with another package, such as one of a test network, is no anchor here any more. */
  async forgetOthers(): Promise<void> {
    const { db, chain } = this.deps
    if (chain) await deleteOtherAnchors(db, chain.package)
  }

  /** What is kept, and whether the chain still shows it: it is asked for each. Throws agent.private, agent.not-found. */
  async list(viewer: Viewer, id: string): Promise<SuiAnchors> {
    const { db, agents, chain } = this.deps
    await agents.get(viewer, id)
    if (!chain) return { anchors: [] }
    const waiting = await readAnchors(db, id)
    const anchors: SuiAnchor[] = []
    let isAway = false
    while (waiting.length > 0) {
      const asked = waiting
        .splice(0, anchorsAtOnce)
        .map(async (anchor) => ({ ...shown(anchor), chain: isAway ? awayNow : await whatChainSays(chain.node, anchor) }))
      const answers = await Promise.all(asked)
      anchors.push(...answers)
      // A node that is away would be waited for once for each.
      isAway = answers.every((answer) => answer.chain === 'away')
    }
    return { anchors }
  }

  /**
   * Keeps the anchor that this transaction is; without one, all that the wallet has sent. Once, however often it is said.
   * Throws sui.anchor-off, agent.not-found for anybody else's, sui.chain-away, and for a transaction that is none: sui.anchor-pending, -failed, -foreign, -other.
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
      for (const found of await this.sentBy(head.address, id)) {
        if (!known.has(found)) await this.keep(found, { id, author: head.address, versions }).catch(ignoreRefusal)
      }
    } else if (!known.has(transaction)) await this.keep(transaction, { id, author: head.address, versions })
    return this.list(userId, id)
  }

  private async keep(transaction: string, { id, author, versions }: { id: string; author: string; versions: readonly StoredVersion[] }): Promise<void> {
    const { db, chain } = this.deps
    const executed = await this.ask((node) => node.transaction(transaction))
    if (!executed || !chain) throw new AppError('sui.anchor-pending')
    if (!executed.isSuccess) throw new AppError('sui.anchor-failed')
    const { bytes, claim } = callOf(executed)
    const version = versions.find(({ digest }) => digest === claim.manifest)
    if (!version) throw new AppError('sui.anchor-other')
    const wanted: AnchorClaim = { package: chain.package, author, agent: id, version: version.version, manifest: version.digest }
    const problems = executed.signatures.map((signature) => anchorProblem({ transaction, bytes, signature }, wanted, tools))
    const signature = executed.signatures[problems.indexOf(undefined)]
    if (signature === undefined) throw new AppError(problems[0] ?? 'sui.anchor-other')
    const { checkpoint, at } = executed
    await insertAnchor(db, { agentId: id, version: version.version, transaction, package: chain.package, bytes, signature, checkpoint, at })
  }

  /** Transactions of a wallet whose events name this agent, the oldest first: of two that anchor one version the first counts. */
  private async sentBy(address: string, id: string): Promise<string[]> {
    const type = `${this.deps.chain?.package}::${anchorModule}::${anchorEvent}`
    const found: string[] = []
    let after: unknown
    for (let page = 0; page < maxAnchorEventPages; page++) {
      const { events, next } = await this.ask((node) => node.eventsOf(address, { size: anchorEventsPage, after }))
      found.push(...events.filter((event) => isSameType(event.type, type) && agentIn(event.json) === id).map(({ transaction }) => transaction))
      if (next === undefined) break
      after = next
    }
    return [...new Set(found)].reverse()
  }

  private async ask<T>(question: (node: SuiNode) => Promise<T>): Promise<T> {
    const { chain } = this.deps
    if (!chain) throw new AppError('sui.anchor-off')
    try {
      return await question(chain.node)
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

async function whatChainSays(node: SuiNode, { transaction }: StoredAnchor): Promise<SuiAnchor['chain']> {
  try {
    return (await node.transaction(transaction))?.isSuccess ? 'confirmed' : 'missing'
  } catch {
    return 'away'
  }
}

/** What was found by looking for it need not be an anchor; a chain that is away is told. */
function ignoreRefusal(error: unknown): void {
  if (!(error instanceof AppError) || error.code === 'sui.chain-away' || !error.code.startsWith('sui.')) throw error
}

const shown = ({ version, transaction, bytes, signature, checkpoint, at }: StoredAnchor): Omit<SuiAnchor, 'chain'> => ({
  ...{ version, transaction, bytes, signature, checkpoint },
  at: at.toISOString(),
})

const AnchoredEvent = z.object({ agent: z.string() })

function agentIn(json: unknown): string | undefined {
  const { data } = z.safeParse(AnchoredEvent, json)
  return data && fullAddress(data.agent)
}

/** Nodes write addresses with and without the zeros at their beginning. */
const fullAddress = (address: string): string => `0x${address.replace(/^0x/i, '').toLowerCase().padStart(64, '0')}`

function isSameType(type: string, wanted: string): boolean {
  const [packageId = '', ...rest] = type.split('::')
  return [fullAddress(packageId), ...rest].join('::') === wanted
}
