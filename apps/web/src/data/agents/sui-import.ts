// The import of an agent from another server's file: verified here before it is sent to this server, which verifies it
// again.
import { AppError } from '@parley/contract/errors'
import { limits } from '@parley/contract/limits/shared'
import { webLimits } from '@parley/contract/limits/web'
import { type SuiAgent, SuiBundle, suiRoutes } from '@parley/contract/sui-agents'
import { checkHistory, type SuiProblem } from '@parley/contract/sui-history'
import type { SuiManifest } from '@parley/contract/sui-manifest'
import { fromBase64 } from '@parley/contract/sui-signature'
import * as z from 'zod/mini'
import { api } from '../api/api'
import { refetchAgents } from './agent-queries'
import { digests, suiCrypto } from './sui-crypto'
import { signedInAddress } from './sui-signing'
import { type Mark, secretsMark } from './sui-verify'

/** The first version that fails verification, and why. */
type BrokenVersion = { version: number; problem: SuiProblem }

export type SuiBundlePreview = {
  bundle: SuiBundle
  /** Of the last readable version; undefined where none is readable. */
  manifest: SuiManifest | undefined
  versions: number
  broken: BrokenVersion | undefined
  /** The signed picture; undefined where the file has another one. */
  picture: Blob | undefined
  /** unknown: the file has no secrets. */
  secrets: Mark
  /** Whether the signed-in wallet made it. */
  isOwn: boolean
  canImport: boolean
}

/**
 * Reads a file and verifies its signatures. Throws sui.manifest for a file that is no agent, and agent.card-too-large.
 */
export async function previewSuiBundle(file: File): Promise<SuiBundlePreview> {
  if (file.size > limits.agents.sui.maxBundleBytes) throw new AppError('agent.card-too-large')
  const { data: bundle } = z.safeParse(SuiBundle, await contentOf(file))
  if (!bundle) throw new AppError('sui.manifest')
  const { manifest, broken } = await checkVersions(bundle)
  const picture = pictureOf(bundle, manifest)
  const secrets = secretsMark(bundle.secrets, manifest)
  const isOwn = manifest !== undefined && manifest.address === signedInAddress()
  const canImport = broken === undefined && isOwn && secrets === 'good' && picture !== undefined
  return { bundle, manifest, versions: bundle.versions.length, broken, picture, secrets, isOwn, canImport }
}

async function checkVersions(
  bundle: SuiBundle,
): Promise<{ manifest: SuiManifest | undefined; broken: BrokenVersion | undefined }> {
  let manifest: SuiManifest | undefined
  let broken: BrokenVersion | undefined
  let version = 0
  for (const checked of checkHistory(bundle, { sui: suiCrypto, digests })) {
    version += 1
    manifest = checked.manifest ?? manifest
    if (checked.problem) broken ??= { version, problem: checked.problem }
    // Each version takes milliseconds: the page stays responsive between them.
    await new Promise((resolve) => setTimeout(resolve))
  }
  return { manifest, broken }
}

function pictureOf({ picture }: SuiBundle, manifest: SuiManifest | undefined): Blob | undefined {
  try {
    const bytes = fromBase64(picture)
    return digests.picture(bytes) === manifest?.picture ? new Blob([bytes], { type: 'image/webp' }) : undefined
  } catch {
    return undefined
  }
}

/** Imports the agent on this server, which verifies it again. */
export async function importSuiBundle(bundle: SuiBundle): Promise<SuiAgent> {
  const answer = await api(suiRoutes.import, { body: bundle, answerMs: webLimits.calls.slowAnswerMs })
  refetchAgents()
  return answer
}

async function contentOf(file: File): Promise<unknown> {
  try {
    return JSON.parse(await file.text())
  } catch (error) {
    throw new AppError('sui.manifest', { cause: error })
  }
}
