// Verifies in this browser that an agent is what its wallet signed: nothing that the server claims is trusted.
import type { SeenAgent } from '@parley/contract/agents'
import type { SuiAnchoring } from '@parley/contract/config'
import { suiRoutes } from '@parley/contract/sui-agents'
import { checkHistory, type SuiProblem } from '@parley/contract/sui-history'
import type { SuiHistory, SuiManifest, SuiSecrets } from '@parley/contract/sui-manifest'
import type { SuiCheck } from '@parley/contract/sui-signature'
import { api } from '../api/api'
import { bytesAt } from '../http/bytes-at'
import { type AnchorCheck, checkAnchors } from './sui-anchors'
import { digests, suiCrypto } from './sui-crypto'

/**
 * What a version changed. An agent keeps its salt, so that the digests of prompt and knowledge change only with the
 * texts.
 */
type ChangedPart = 'name' | 'texts' | 'prompt' | 'knowledge' | 'picture' | 'visibility' | 'price' | 'server'

const secretParts = ['prompt', 'knowledge', 'picture'] as const
type MissingPart = (typeof secretParts)[number]

export type VerifiedVersion = {
  version: number
  json: string
  digest: string
  manifest: SuiManifest | undefined
  scheme: Extract<SuiCheck, { isGood: true }>['scheme'] | undefined
  problem: SuiProblem | undefined
  changed: ChangedPart[]
  /** Parts of an older version whose content is not stored any more: only the signed digest is left. */
  missing: MissingPart[]
  /** Undefined where the wallet has not anchored this version on the chain. */
  anchor?: AnchorCheck | undefined
}

/** good: verified. bad: it failed verification. unknown: it could not be verified here. */
export type Mark = 'good' | 'bad' | 'unknown'

export type Verification = {
  /** The last version first. */
  versions: VerifiedVersion[]
  /** Whether the agent's public fields match its last version. */
  shown: Mark
  picture: Mark
  /** Prompt and knowledge, which only the owner has. */
  secrets: Mark
  /**
   * Whether the chain has anchors of it; undefined where this server has no anchoring. away: the anchors could not be
   * fetched.
   */
  anchors: 'some' | 'none' | 'away' | undefined
  isForged: boolean
}

export type Progress = { done: number; total: number }

type VerifyOptions = {
  onProgress: (progress: Progress) => void
  signal: AbortSignal
  anchoring?: SuiAnchoring | undefined
}

/**
 * Verifies every version, and that what is shown matches the last one. Throws AppError where the history cannot be
 * fetched.
 */
export async function verifySuiAgent(
  agent: SeenAgent,
  { onProgress, signal, anchoring }: VerifyOptions,
): Promise<Verification> {
  const history = await api(suiRoutes.history, { params: { id: agent._id }, signal })
  const versions = await verifyVersions({ ...history, id: agent._id }, onProgress, signal)
  const head = versions.at(-1)?.manifest
  for (const version of versions)
    version.missing = secretParts.filter((part) => version.manifest?.[part] !== head?.[part])
  const { secrets } = await api(suiRoutes.get, { params: { id: agent._id }, signal })
  const shown = head && matchesManifest(agent, head) ? 'good' : 'bad'
  const marks = {
    shown,
    picture: await pictureMark(agent.profileImage, head),
    secrets: secretsMark(secrets, head),
  } as const
  const anchors = anchoring && (await checkAnchors({ id: agent._id, versions, package: anchoring.package }, signal))
  const isForged =
    versions.some(({ problem, anchor }) => problem !== undefined || anchor?.mark === 'bad') ||
    Object.values(marks).includes('bad')
  return { versions: versions.reverse(), ...marks, anchors, isForged }
}

async function verifyVersions(
  history: SuiHistory,
  onProgress: (progress: Progress) => void,
  signal: AbortSignal,
): Promise<VerifiedVersion[]> {
  const versions: VerifiedVersion[] = []
  const total = history.versions.length
  onProgress({ done: 0, total })
  for (const { digest, manifest, scheme, problem } of checkHistory(history, { sui: suiCrypto, digests })) {
    const before = versions.at(-1)?.manifest
    const json = history.versions[versions.length]?.manifest ?? ''
    versions.push({
      version: versions.length + 1,
      json,
      digest,
      manifest,
      scheme,
      problem,
      changed: manifest && before ? changedParts(manifest, before) : [],
      missing: [],
    })
    onProgress({ done: versions.length, total })
    // Each version takes milliseconds: the page stays responsive between them.
    await new Promise((resolve) => setTimeout(resolve))
    signal.throwIfAborted()
  }
  return versions
}

function changedParts(now: SuiManifest, before: SuiManifest): ChangedPart[] {
  const parts: Record<ChangedPart, (manifest: SuiManifest) => unknown> = {
    name: ({ name }) => name,
    texts: ({ languages, category }) => JSON.stringify([languages, category]),
    prompt: ({ prompt }) => prompt,
    knowledge: ({ knowledge }) => knowledge,
    picture: ({ picture }) => picture,
    visibility: (manifest) => `${manifest.private} ${manifest.enabled}`,
    price: ({ userPrice }) => userPrice,
    server: ({ domain }) => domain,
  }
  return (Object.keys(parts) as ChangedPart[]).filter((part) => parts[part](now) !== parts[part](before))
}

/** Whether the fields that a reader sees are those that were signed. */
function matchesManifest(agent: SeenAgent, head: SuiManifest): boolean {
  const isText = head.languages.every(({ language, role, about, defaultGreetings }, index) => {
    const shown = agent.languages[index]
    const isGreeting = defaultGreetings === '' || shown?.defaultGreetings === defaultGreetings
    return shown?.language === language && shown.role === role && shown.about === about && isGreeting
  })
  const isSame =
    agent.name === head.name &&
    agent.category === head.category &&
    agent.private === head.private &&
    agent.enabled === head.enabled
  const isSigner = agent.sui?.address === head.address && agent.sui.version === head.version
  return (
    isText &&
    isSame &&
    isSigner &&
    agent.languages.length === head.languages.length &&
    agent.userPrice === head.userPrice
  )
}

async function pictureMark(path: string, head: SuiManifest | undefined): Promise<Mark> {
  const bytes = await bytesAt(path).catch(() => undefined)
  if (!bytes || !head) return 'unknown'
  return digests.picture(bytes) === head.picture ? 'good' : 'bad'
}

export function secretsMark(secrets: SuiSecrets | undefined, head: SuiManifest | undefined): Mark {
  if (!secrets || !head) return 'unknown'
  return digests.prompt(secrets) === head.prompt && digests.knowledge(secrets) === head.knowledge ? 'good' : 'bad'
}
