// Digests of versions on the chain: published by the wallet, read by the server, and recomputed here as far as that goes without asking the chain oneself.
import type { SuiAnchoring } from '@parley/contract/config'
import { AppError } from '@parley/contract/errors'
import { limits } from '@parley/contract/limits'
import { suiRoutes } from '@parley/contract/sui-agents'
import { anchorProblem, anchorTransaction, type SuiAnchor, suiAnchorRoutes } from '@parley/contract/sui-anchor'
import { toBase58 } from '../../lib/base58'
import { api } from '../http/api'
import { agentsChanged } from './agent-queries'
import { digests, suiCrypto } from './sui-crypto'
import { manifestOf, signer } from './sui-signing'
import type { Mark, VerifiedVersion } from './sui-verify'

/** bad: the transaction is not the wallet's, or says something else. unknown: the chain did not confirm it. */
export type AnchorCheck = { mark: Mark } & Pick<SuiAnchor, 'transaction' | 'at' | 'chain'>

const tools = { sui: suiCrypto, toBase58 }

/** Notes each version's anchor in it. Only who sent what is computed here; that the chain executed it, and when, is what its node told the server. */
export async function checkAnchors(
  { id, versions, package: packageId }: { id: string; versions: VerifiedVersion[]; package: string },
  signal: AbortSignal,
): Promise<'some' | 'none' | 'away'> {
  const answer = await api(suiAnchorRoutes.list, { params: { id }, signal, answerMs: limits.calls.slowAnswerMs }).catch((error: unknown) => {
    if (signal.aborted) throw error
    return undefined
  })
  if (!answer) return 'away'
  for (const anchor of answer.anchors) {
    const version = versions.find((one) => one.version === anchor.version)
    if (version) version.anchor = checked(anchor, { id, version, packageId })
  }
  return answer.anchors.length > 0 ? 'some' : 'none'
}

function checked(anchor: SuiAnchor, { id, version, packageId }: { id: string; version: VerifiedVersion; packageId: string }): AnchorCheck {
  const { transaction, at, chain } = anchor
  const claim = { package: packageId, author: version.manifest?.address ?? '', agent: id, version: version.version, manifest: version.digest }
  if (anchorProblem(anchor, claim, tools)) return { mark: 'bad', transaction, at, chain }
  return { mark: chain === 'confirmed' ? 'good' : 'unknown', transaction, at, chain }
}

/**
 * Publishes the digest of an agent's last version, unless its wallet has done so before. `sent`: a transaction that the chain did not show in time.
 * Throws SuiSigningError, AppError, and AnchorSentError where the chain does not show the transaction in time.
 */
export async function anchorSuiAgent(id: string, { package: packageId, network }: SuiAnchoring, sent?: string): Promise<void> {
  const answer = await api(suiRoutes.get, { params: { id } })
  const { version, address } = manifestOf(answer)
  const isAnchored = async (): Promise<boolean> => {
    const { anchors } = await api(suiAnchorRoutes.record, { params: { id }, body: {}, answerMs: limits.calls.slowAnswerMs })
    return anchors.some((anchor) => anchor.version === version)
  }
  if (sent === undefined && (await isAnchored())) return agentsChanged()
  const claim = { package: packageId, author: address, agent: id, version, manifest: digests.manifest(answer.head.manifest) }
  const transaction = sent ?? (await (await signer()).send(anchorTransaction(claim), network))
  await recorded(id, transaction)
  agentsChanged()
}

/** The wallet has sent it, and it is not known whether the chain has it. */
export class AnchorSentError extends Error {
  override name = 'AnchorSentError'
  constructor(
    readonly transaction: string,
    options?: ErrorOptions,
  ) {
    super(transaction, options)
  }
}

/** The wallet's node is ahead of the server's: it is asked again for a while. */
async function recorded(id: string, transaction: string): Promise<void> {
  const waits: number[] = [...limits.agents.sui.anchorPollMs]
  for (;;) {
    try {
      return void (await api(suiAnchorRoutes.record, { params: { id }, body: { transaction }, answerMs: limits.calls.slowAnswerMs }))
    } catch (error) {
      const isLate = error instanceof AppError && (error.code === 'sui.anchor-pending' || error.status >= 500 || error.status === 0 || error.status === 429)
      const wait = waits.shift()
      if (!isLate) throw error
      if (wait === undefined) throw new AnchorSentError(transaction, { cause: error })
      await new Promise((resolve) => setTimeout(resolve, wait))
    }
  }
}
