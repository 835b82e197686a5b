// An agent that comes as a file of another server: looked through here before it is sent to this one, which checks it again.
import { AppError } from '@parley/contract/errors'
import { limits } from '@parley/contract/limits'
import { type SuiAgent, SuiBundle, type SuiManifest, suiRoutes } from '@parley/contract/sui-agents'
import { checkHistory, type SuiProblem } from '@parley/contract/sui-history'
import { fromBase64 } from '@parley/contract/sui-signature'
import * as z from 'zod/mini'
import { api } from '../http/api'
import { agentsChanged } from './agent-queries'
import { digests, suiCrypto } from './sui-crypto'
import { signedInAddress } from './sui-signing'
import { type Mark, secretsMark } from './sui-verify'

/** The first version that is not as it must be, and why. */
type Broken = { version: number; problem: SuiProblem }

export type SuiBundlePreview = {
  bundle: SuiBundle
  /** Of the last version that can be read; undefined where none can. */
  manifest: SuiManifest | undefined
  versions: number
  broken: Broken | undefined
  /** The signed picture, for as long as the page lasts; undefined where it is another one. */
  picture: Blob | undefined
  /** unknown: there are none in the file. */
  secrets: Mark
  /** Whether the wallet that is signed in made it. */
  isOwn: boolean
  canImport: boolean
}

/** What is in a file, and whether its wallet signed it. Throws sui.manifest for what is no agent, agent.card-too-large. */
export async function previewSuiBundle(file: File): Promise<SuiBundlePreview> {
  if (file.size > limits.agents.sui.maxBundleBytes) throw new AppError('agent.card-too-large')
  const { data: bundle } = z.safeParse(SuiBundle, await contentOf(file))
  if (!bundle) throw new AppError('sui.manifest')
  const { manifest, broken } = await lookedThrough(bundle)
  const picture = pictureOf(bundle, manifest)
  const secrets = secretsMark(bundle.secrets, manifest)
  const isOwn = manifest !== undefined && manifest.address === signedInAddress()
  const canImport = broken === undefined && isOwn && secrets === 'good' && picture !== undefined
  return { bundle, manifest, versions: bundle.versions.length, broken, picture, secrets, isOwn, canImport }
}

async function lookedThrough(bundle: SuiBundle): Promise<{ manifest: SuiManifest | undefined; broken: Broken | undefined }> {
  let manifest: SuiManifest | undefined
  let broken: Broken | undefined
  let version = 0
  for (const checked of checkHistory(bundle, { sui: suiCrypto, digests })) {
    version += 1
    manifest = checked.manifest ?? manifest
    if (checked.problem) broken ??= { version, problem: checked.problem }
    // Each takes milliseconds: the page stays alive between them.
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

/** Brings it here, as this server checks it. */
export async function importSuiBundle(bundle: SuiBundle): Promise<SuiAgent> {
  const answer = await api(suiRoutes.import, { body: bundle, answerMs: limits.calls.slowAnswerMs })
  agentsChanged()
  return answer
}

async function contentOf(file: File): Promise<unknown> {
  try {
    return JSON.parse(await file.text())
  } catch (error) {
    throw new AppError('sui.manifest', { cause: error })
  }
}
