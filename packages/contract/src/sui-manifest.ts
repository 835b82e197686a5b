// The manifest of an agent of a wallet: each version is signed by its wallet, so that a server that stores it can
// neither alter nor forge it. docs/agents.md has the format.
import * as z from 'zod/mini'
import { agentLanguages } from './agents'
import { canonicalJson } from './canonical-json'
import { AppError } from './errors'
import { limits } from './limits/shared'
import { type SuiCrypto, toHex } from './sui-signature'

export const suiManifestFormat = 'parley-sui-agent/1'

const { name, role, about, prompt, greeting, knowledge, sui } = limits.agents
export const text = (maximum: number) => z.string().check(z.maxLength(maximum))
export const filled = (maximum: number) => text(maximum).check(z.minLength(1))

export const Digest = z.string().check(z.regex(/^[0-9a-f]{64}$/))
const SuiAddress = z.string().check(z.regex(/^0x[0-9a-f]{64}$/))
export const Domain = z.string().check(z.regex(/^[a-z0-9.:[\]-]{1,255}$/))

/** What a wallet signs of an agent: all that everybody sees of it, and digests of the rest. */
export const SuiManifest = z.strictObject({
  format: z.literal(suiManifestFormat),
  /** The server that the agent was first made for: the same in all versions. */
  origin: Domain,
  /** The server that this version was signed for. */
  domain: Domain,
  address: SuiAddress,
  version: z.int().check(z.minimum(1), z.maximum(sui.maxVersions)),
  /** The digest of the manifest before; null in the first. */
  previous: z.nullable(Digest),
  signedAt: z.iso.datetime(),
  name: filled(name),
  category: text(50),
  /** The first is the agent's own language; none comes twice. */
  languages: z
    .array(
      z.strictObject({
        language: z.enum(agentLanguages),
        role: filled(role),
        about: filled(about),
        defaultGreetings: text(greeting),
      }),
    )
    .check(
      z.minLength(1),
      z.maxLength(agentLanguages.length),
      z.refine((all) => new Set(all.map(({ language }) => language)).size === all.length),
    ),
  private: z.boolean(),
  enabled: z.boolean(),
  userPrice: z.int().check(z.minimum(0), z.maximum(sui.maxPrice)),
  prompt: Digest,
  knowledge: Digest,
  picture: Digest,
})
export type SuiManifest = z.infer<typeof SuiManifest>

/** What a manifest has digests of. Salted: nobody finds a short prompt by trying what it may be. */
export const SuiSecrets = z.strictObject({
  salt: z.string().check(z.regex(/^[0-9a-f]{32}$/)),
  prompts: z.partialRecord(z.enum(agentLanguages), filled(prompt)),
  knowledge: text(knowledge),
})
export type SuiSecrets = z.infer<typeof SuiSecrets>

/** `manifest`: its canonical JSON, to the letter. */
export const SuiVersion = z.object({ manifest: text(sui.maxManifest), signature: text(sui.maxSignature) })
export type SuiVersion = z.infer<typeof SuiVersion>

/** All versions, the first one first. */
export const SuiHistory = z.object({
  id: SuiAddress,
  versions: z.array(SuiVersion).check(z.minLength(1), z.maxLength(sui.maxVersions)),
})
export type SuiHistory = z.infer<typeof SuiHistory>

/** The digests that are published with a manifest, and the id that is made of the first one. */
export type SuiDigests = ReturnType<typeof suiDigests>

export function suiDigests({ blake2b256 }: Pick<SuiCrypto, 'blake2b256'>) {
  const digest = (kind: string, text: string): string =>
    toHex(blake2b256(new TextEncoder().encode(`${suiManifestFormat} ${kind}\n${text}`)))
  const manifestDigest = (manifest: string): string => digest('manifest', manifest)
  return {
    manifest: manifestDigest,
    /** Of an agent, by its first manifest. */
    id: (first: string, address: string): string => `0x${digest('id', `${manifestDigest(first)}\n${address}`)}`,
    prompt: ({ salt, prompts }: Pick<SuiSecrets, 'salt' | 'prompts'>): string =>
      digest('prompt', canonicalJson({ salt, prompts })),
    knowledge: ({ salt, knowledge }: Pick<SuiSecrets, 'salt' | 'knowledge'>): string =>
      digest('knowledge', canonicalJson({ salt, knowledge })),
    picture: (bytes: Uint8Array): string => toHex(blake2b256(bytes)),
  }
}

/** Reads a manifest that is spelt as its digest wants it. Throws sui.manifest. */
export function readManifest(json: string): SuiManifest {
  let content: unknown
  try {
    content = JSON.parse(json)
  } catch (error) {
    throw new AppError('sui.manifest', { cause: error })
  }
  const { data } = z.safeParse(SuiManifest, content)
  if (!data || canonicalJson(data) !== json) throw new AppError('sui.manifest')
  return data
}

export const writeManifest = (manifest: SuiManifest): string => canonicalJson(manifest)

/** What the wallet shows and signs to publish a version. No other text of this product begins so. */
export function publishMessage(json: string): string {
  const { domain, version } = readManifest(json)
  return `${suiManifestFormat} publish\n\n${domain} asks you to sign version ${version} of this agent. It moves nothing and gives nobody access.\n\n${json}`
}

/** What the wallet shows and signs to delete an agent as it is now. `head`: the digest of its last manifest. */
export function removeMessage({ domain, id, head }: { domain: string; id: string; head: string }): string {
  return `${suiManifestFormat} delete\n\n${domain} asks you to delete this agent. It moves nothing and gives nobody access.\n\n${canonicalJson({ domain, head, id })}`
}
