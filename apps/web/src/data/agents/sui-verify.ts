// Whether an agent of a wallet is what the wallet signed, computed in this browser: the server is believed in nothing.
import type { SeenAgent } from '@parley/contract/agents'
import type { SuiAnchoring } from '@parley/contract/config'
import { type SuiHistory, type SuiManifest, type SuiSecrets, suiRoutes } from '@parley/contract/sui-agents'
import { checkHistory, type SuiProblem } from '@parley/contract/sui-history'
import type { SuiCheck } from '@parley/contract/sui-signature'
import { api } from '../http/api'
import { bytesAt } from '../http/bytes-at'
import { type AnchorCheck, checkAnchors } from './sui-anchors'
import { digests, suiCrypto } from './sui-crypto'

/** What a version changed of the one before. An agent keeps its salt, so that digests of prompt and knowledge change with them alone. */
type ChangedPart = 'name' | 'texts' | 'prompt' | 'knowledge' | 'picture' | 'visibility' | 'price' | 'server'

const secretParts = ['prompt', 'knowledge', 'picture'] as const
type LostPart = (typeof secretParts)[number]

export type VerifiedVersion = {
  version: number
  json: string
  digest: string
  manifest: SuiManifest | undefined
  scheme: Extract<SuiCheck, { isGood: true }>['scheme'] | undefined
  problem: SuiProblem | undefined
  changed: ChangedPart[]
  /** Of an older one, what is not kept any more: of that there is the signed digest alone. */
  lost: LostPart[]
  /** Undefined where the wallet has not published it on the chain. */
  anchor?: AnchorCheck | undefined
}

/** good: computed and right. bad: computed and wrong. unknown: it could not be computed here. */
export type Mark = 'good' | 'bad' | 'unknown'

export type Verified = {
  /** The last one first. */
  versions: VerifiedVersion[]
  /** Whether what is shown of the agent is what its last version says. */
  shown: Mark
  picture: Mark
  /** Prompt and knowledge: the owner alone has them. */
  secrets: Mark
  /** What the chain has of it; undefined where nothing is anchored here. away: its anchors could not be had. */
  anchors: 'some' | 'none' | 'away' | undefined
  isForged: boolean
}

export type Progress = { done: number; total: number }

type Watching = { onProgress: (progress: Progress) => void; signal: AbortSignal; anchoring?: SuiAnchoring | undefined }

/** Recomputes everything. Throws AppError where the history cannot be had. */
export async function verifySuiAgent(agent: SeenAgent, { onProgress, signal, anchoring }: Watching): Promise<Verified> {
  const history = await api(suiRoutes.history, { params: { id: agent._id }, signal })
  const versions = await verifyVersions({ ...history, id: agent._id }, onProgress, signal)
  const head = versions.at(-1)?.manifest
  for (const version of versions) version.lost = secretParts.filter((part) => version.manifest?.[part] !== head?.[part])
  const { secrets } = await api(suiRoutes.get, { params: { id: agent._id }, signal })
  const shown = head && saysTheSame(agent, head) ? 'good' : 'bad'
  const marks = { shown, picture: await pictureMark(agent.profileImage, head), secrets: secretsMark(secrets, head) } as const
  const anchors = anchoring && (await checkAnchors({ id: agent._id, versions, package: anchoring.package }, signal))
  const isForged = versions.some(({ problem, anchor }) => problem !== undefined || anchor?.mark === 'bad') || Object.values(marks).includes('bad')
  return { versions: versions.reverse(), ...marks, anchors, isForged }
}

async function verifyVersions(history: SuiHistory, onProgress: (progress: Progress) => void, signal: AbortSignal): Promise<VerifiedVersion[]> {
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
      lost: [],
    })
    onProgress({ done: versions.length, total })
    // Each takes milliseconds: the page stays alive between them.
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

/** What a reader sees of the agent, against what was signed. */
function saysTheSame(agent: SeenAgent, head: SuiManifest): boolean {
  const isText = head.languages.every(({ language, role, about, defaultGreetings }, place) => {
    const shown = agent.languages[place]
    const isGreeting = defaultGreetings === '' || shown?.defaultGreetings === defaultGreetings
    return shown?.language === language && shown.role === role && shown.about === about && isGreeting
  })
  const isSame = agent.name === head.name && agent.category === head.category && agent.private === head.private && agent.enabled === head.enabled
  const isSigner = agent.sui?.address === head.address && agent.sui.version === head.version
  return isText && isSame && isSigner && agent.languages.length === head.languages.length && agent.userPrice === head.userPrice
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
