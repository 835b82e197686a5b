// Whether a history is what its wallet signed: the same for the server that takes it in and for the reader who doubts
// the server.
import { AppError, type ErrorCode } from './errors'
import {
  publishMessage,
  readManifest,
  type SuiDigests,
  type SuiHistory,
  type SuiManifest,
  type SuiVersion,
} from './sui-manifest'
import { checkSuiSignature, type SuiCheck, type SuiCrypto } from './sui-signature'

export type SuiProblem = Extract<ErrorCode, `sui.${string}`>

export type CheckedVersion = {
  digest: string
  /** Undefined where it cannot be read. */
  manifest: SuiManifest | undefined
  scheme: Extract<SuiCheck, { isGood: true }>['scheme'] | undefined
  problem: SuiProblem | undefined
}

type Tools = { sui: SuiCrypto; digests: SuiDigests }

/** One by one, the first version first: a caller may rest between them, since each takes milliseconds. */
export function* checkHistory({ id, versions }: SuiHistory, tools: Tools): Generator<CheckedVersion> {
  let before: CheckedVersion | undefined
  for (const version of versions) {
    const checked = checkVersion(version, { id, before }, tools)
    yield checked
    before = checked
  }
}

function checkVersion(
  version: SuiVersion,
  { id, before }: { id: string; before: CheckedVersion | undefined },
  { sui, digests }: Tools,
): CheckedVersion {
  const digest = digests.manifest(version.manifest)
  const checked = { digest, manifest: undefined, scheme: undefined }
  const manifest = manifestIn(version.manifest)
  if (!manifest) return { ...checked, problem: 'sui.manifest' }
  const signed = checkSuiSignature(
    { address: manifest.address, message: publishMessage(version.manifest), signature: version.signature },
    sui,
  )
  if (!signed.isGood) return { ...checked, manifest, problem: signatureProblem[signed.reason] }
  const isFirst = before === undefined
  const problem = isFirst
    ? firstProblem(manifest, digests.id(version.manifest, manifest.address) === id)
    : nextProblem(manifest, before)
  return { digest, manifest, scheme: signed.scheme, problem }
}

export const signatureProblem = {
  unsupported: 'sui.scheme',
  foreign: 'sui.foreign-signer',
  altered: 'sui.altered',
} as const

/** Of a version that begins a history; `isOfId`: the id is made of it. */
function firstProblem({ version, previous, origin, domain }: SuiManifest, isOfId: boolean): SuiProblem | undefined {
  if (version !== 1 || previous !== null || !isOfId) return 'sui.history'
  return origin === domain ? undefined : 'sui.domain'
}

/** Of a version after another one. */
export function nextProblem(
  manifest: SuiManifest,
  before: Pick<CheckedVersion, 'digest' | 'manifest'>,
): SuiProblem | undefined {
  const { version, origin, address } = before.manifest ?? {}
  if (version === undefined || manifest.version !== version + 1 || manifest.previous !== before.digest)
    return 'sui.history'
  if (manifest.address !== address) return 'sui.foreign-signer'
  return manifest.origin === origin ? undefined : 'sui.domain'
}

function manifestIn(json: string): SuiManifest | undefined {
  try {
    return readManifest(json)
  } catch (error) {
    if (error instanceof AppError) return undefined
    throw error
  }
}
