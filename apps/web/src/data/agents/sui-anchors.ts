// Anchors: digests of versions that the wallet published on the chain. The server reads them from the chain; this file
// recomputes everything that needs no access to the chain.
import type { SuiAnchoring } from '@parley/contract/config'
import { AppError } from '@parley/contract/errors'
import { limits } from '@parley/contract/limits/shared'
import { webLimits } from '@parley/contract/limits/web'
import { suiRoutes } from '@parley/contract/sui-agents'
import { anchorProblem, anchorTransaction, type SuiAnchor, suiAnchorRoutes } from '@parley/contract/sui-anchor'
import { toBase58 } from '../../lib/base58'
import { api } from '../api/api'
import { refetchAgents } from './agent-queries'
import { digests, suiCrypto } from './sui-crypto'
import { manifestOf, signer } from './sui-signing'
import type { Mark, VerifiedVersion } from './sui-verify'

/** bad: the transaction is another wallet's, or anchors something else. unknown: the chain has not confirmed it. */
export type AnchorCheck = { mark: Mark } & Pick<SuiAnchor, 'transaction' | 'at' | 'chain'>

const tools = { sui: suiCrypto, toBase58 }

/**
 * Sets the anchor of each version. Sender and content are verified here; that the chain executed the transaction, and
 * when, is what the server read from its node.
 */
export async function checkAnchors(
  { id, versions, package: packageId }: { id: string; versions: VerifiedVersion[]; package: string },
  signal: AbortSignal,
): Promise<'some' | 'none' | 'away'> {
  const answer = await api(suiAnchorRoutes.list, {
    params: { id },
    signal,
    answerMs: webLimits.calls.slowAnswerMs,
  }).catch((error: unknown) => {
    if (signal.aborted) throw error
    return undefined
  })
  if (!answer) return 'away'
  for (const anchor of answer.anchors) {
    const version = versions.find((one) => one.version === anchor.version)
    if (version) version.anchor = checkAnchor(anchor, { id, version, packageId })
  }
  return answer.anchors.length > 0 ? 'some' : 'none'
}

function checkAnchor(
  anchor: SuiAnchor,
  { id, version, packageId }: { id: string; version: VerifiedVersion; packageId: string },
): AnchorCheck {
  const { transaction, at, chain } = anchor
  const claim = {
    package: packageId,
    author: version.manifest?.address ?? '',
    agent: id,
    version: version.version,
    manifest: version.digest,
  }
  if (anchorProblem(anchor, claim, tools)) return { mark: 'bad', transaction, at, chain }
  return { mark: chain === 'confirmed' ? 'good' : 'unknown', transaction, at, chain }
}

/**
 * Publishes the digest of an agent's last version, unless it is anchored already. `sent`: a transaction that the wallet
 * has sent and the chain did not show in time. Throws SuiSigningError, AppError, and AnchorSentError where the chain
 * does not show the transaction in time.
 */
export async function anchorSuiAgent(
  id: string,
  { package: packageId, network }: SuiAnchoring,
  sent?: string,
): Promise<void> {
  const answer = await api(suiRoutes.get, { params: { id } })
  const { version, address } = manifestOf(answer)
  const isAnchored = async (): Promise<boolean> => {
    const { anchors } = await api(suiAnchorRoutes.record, {
      params: { id },
      body: {},
      answerMs: webLimits.calls.slowAnswerMs,
    })
    return anchors.some((anchor) => anchor.version === version)
  }
  if (sent === undefined && (await isAnchored())) return refetchAgents()
  const claim = {
    package: packageId,
    author: address,
    agent: id,
    version,
    manifest: digests.manifest(answer.head.manifest),
  }
  const transaction = sent ?? (await (await signer()).send(anchorTransaction(claim), network))
  await recordAnchor(id, transaction)
  refetchAgents()
}

/** The wallet sent the transaction, and the chain has not shown it yet. */
export class AnchorSentError extends Error {
  override name = 'AnchorSentError'
  constructor(
    readonly transaction: string,
    options?: ErrorOptions,
  ) {
    super(transaction, options)
  }
}

/** Records an anchor, with retries: the wallet's node may be ahead of the server's node. */
async function recordAnchor(id: string, transaction: string): Promise<void> {
  const waits: number[] = [...limits.agents.sui.anchorPollMs]
  for (;;) {
    try {
      return void (await api(suiAnchorRoutes.record, {
        params: { id },
        body: { transaction },
        answerMs: webLimits.calls.slowAnswerMs,
      }))
    } catch (error) {
      const isLate =
        error instanceof AppError &&
        (error.code === 'sui.anchor-pending' || error.status >= 500 || error.status === 0 || error.status === 429)
      const wait = waits.shift()
      if (!isLate) throw error
      if (wait === undefined) throw new AnchorSentError(transaction, { cause: error })
      await new Promise((resolve) => setTimeout(resolve, wait))
    }
  }
}
