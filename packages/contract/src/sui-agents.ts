// Agents of wallets: each version is a manifest that its wallet signed, so that whoever keeps it can neither alter nor forge it. docs/agents.md has the format.
import * as z from 'zod/mini'
import { cleanDraft } from './agent-cleaning'
import { Agent, type AgentDraft, agentLanguages, SeenAgent } from './agents'
import { canonicalJson } from './canonical-json'
import { AppError } from './errors'
import { limits } from './limits'
import { route } from './route'

import { type SuiCrypto, toHex } from './sui-signature'
import type { AccountKind, User } from './users'

export const suiManifestFormat = 'parley-sui-agent/1'
const bundleFormat = 'parley-sui-agent-bundle/1'

const { name, role, about, prompt, greeting, knowledge, sui } = limits.agents
const text = (maximum: number) => z.string().check(z.maxLength(maximum))
const filled = (maximum: number) => text(maximum).check(z.minLength(1))

const Digest = z.string().check(z.regex(/^[0-9a-f]{64}$/))
const SuiAddress = z.string().check(z.regex(/^0x[0-9a-f]{64}$/))
const Domain = z.string().check(z.regex(/^[a-z0-9.:[\]-]{1,255}$/))

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
  languages: z.array(z.strictObject({ language: z.enum(agentLanguages), role: filled(role), about: filled(about), defaultGreetings: text(greeting) })).check(
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
export const SuiHistory = z.object({ id: SuiAddress, versions: z.array(SuiVersion).check(z.minLength(1), z.maxLength(sui.maxVersions)) })
export type SuiHistory = z.infer<typeof SuiHistory>

/** An agent as a file that goes to another server. Without `secrets` it can be verified, not chatted with. */
export const SuiBundle = z.object({
  format: z.literal(bundleFormat),
  ...SuiHistory.shape,
  /** The picture's bytes in base64: a WebP file. */
  picture: text(Math.ceil(limits.agents.maxPictureBytes / 3) * 4),
  secrets: z.optional(SuiSecrets),
})
export type SuiBundle = z.infer<typeof SuiBundle>

export const bundleOf = (rest: Omit<SuiBundle, 'format'>): SuiBundle => ({ format: bundleFormat, ...rest })

/** The digests that are published with a manifest, and the id that is made of the first one. */
export type SuiDigests = ReturnType<typeof suiDigests>

export function suiDigests({ blake2b256 }: Pick<SuiCrypto, 'blake2b256'>) {
  const digest = (kind: string, text: string): string => toHex(blake2b256(new TextEncoder().encode(`${suiManifestFormat} ${kind}\n${text}`)))
  const manifestDigest = (manifest: string): string => digest('manifest', manifest)
  return {
    manifest: manifestDigest,
    /** Of an agent, by its first manifest. */
    id: (first: string, address: string): string => `0x${digest('id', `${manifestDigest(first)}\n${address}`)}`,
    prompt: ({ salt, prompts }: Pick<SuiSecrets, 'salt' | 'prompts'>): string => digest('prompt', canonicalJson({ salt, prompts })),
    knowledge: ({ salt, knowledge }: Pick<SuiSecrets, 'salt' | 'knowledge'>): string => digest('knowledge', canonicalJson({ salt, knowledge })),
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

export type SuiPlace = Pick<SuiManifest, 'origin' | 'domain' | 'address' | 'version' | 'previous' | 'signedAt' | 'picture' | 'userPrice'>

/** A version of what is written in the form, and the secrets that belong to it. Throws validation. */
export function suiVersionOf(draft: AgentDraft, place: SuiPlace, salt: string, digests: SuiDigests): { manifest: SuiManifest; secrets: SuiSecrets } {
  const { name, category = '', texts, knowledge = '' } = cleanDraft(cleanly(draft))
  const secrets: SuiSecrets = { salt, prompts: Object.fromEntries(texts.map(({ language, prompt }) => [language, prompt])), knowledge }
  return {
    secrets,
    manifest: {
      ...place,
      format: suiManifestFormat,
      name,
      category,
      languages: texts.map(({ language, role, about, defaultGreetings }) => ({ language, role, about, defaultGreetings })),
      private: draft.private,
      enabled: draft.enabled,
      prompt: digests.prompt(secrets),
      knowledge: digests.knowledge(secrets),
    },
  }
}

/** Cleaned once more: what is taken out of a text can bring letters together that clean differently. */
function cleanly(draft: AgentDraft): AgentDraft {
  const { name, category, knowledge, texts } = cleanDraft(draft)
  const [own] = texts
  return { ...draft, ...own, name, ...(category === undefined ? {} : { category }), ...(knowledge === undefined ? {} : { knowledge }), languages: texts }
}

/** The form that makes this manifest; its picture is what is shown. */
export function draftOfManifest({ manifest, secrets, profileImage }: { manifest: SuiManifest; secrets: SuiSecrets; profileImage: string }): AgentDraft {
  const languages = manifest.languages.map((texts) => ({ ...texts, prompt: secrets.prompts[texts.language] ?? '' }))
  const own = languages[0] ?? { language: agentLanguages[0], role: '', about: '', defaultGreetings: '', prompt: '' }
  return {
    ...own,
    name: manifest.name,
    category: manifest.category,
    knowledge: secrets.knowledge,
    profileImage,
    private: manifest.private,
    enabled: manifest.enabled,
    languages,
  }
}

/** Whether a client may offer to make agents of a wallet; the server goes by the account's verified address. */
export function isSuiPerson({ email, app_metadata }: Pick<User, 'email'> & { app_metadata?: { kind?: AccountKind | undefined } | undefined }): boolean {
  const kind = app_metadata?.kind
  return kind === undefined ? email.includes('@sui') || /^0x[0-9a-f]{64}@/i.test(email) : kind === 'sui'
}

const Id = z.object({ id: z.string().check(z.minLength(1), z.maxLength(200)) })
const page = {
  /** From 0. */
  page_number: z._default(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(100_000)), 0),
  page_size: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(limits.agents.maxPage)), sui.page),
  lang: z.optional(z.enum(agentLanguages)),
}

/** Others' private agents are in it without a word of theirs: address, version and likes alone. */
export const SuiPage = z.object({ data: z.array(Agent), pagination: z.object({ totalAssistants: z.number(), hasNextPage: z.boolean() }) })
export type SuiPage = z.infer<typeof SuiPage>

/** One agent with its last version; its secrets for its owner alone. */
export const SuiAgent = z.object({ agent: SeenAgent, head: SuiVersion, secrets: z.optional(SuiSecrets) })
export type SuiAgent = z.infer<typeof SuiAgent>

/** What the next version has to say: the picture as this server keeps it, its digest, this server's name and clock. */
export const SuiGround = z.object({ profileImage: z.string(), picture: Digest, domain: Domain, now: z.string() })
export type SuiGround = z.infer<typeof SuiGround>

/** Whoever may not read an agent gets agent.private or agent.not-found; whatever is not signed as it must be, one of the `sui.` errors. */
export const suiRoutes = {
  list: route({
    method: 'GET',
    path: '/v1/sui/public/assistants',
    query: z.object({
      ...page,
      /** Words of name, role and about, or the whole of an id or a wallet's address. Blank: no search. */
      search_terms: z.optional(z.string().check(z.maxLength(limits.agents.maxSearch))),
      /** Those alone that the person likes, in whatever language. */
      liked: z.optional(z.enum(['true', 'false'])),
    }),
    response: SuiPage,
    summary: 'Agents of wallets, newest first',
  }),
  ofPerson: route({
    method: 'GET',
    path: '/v1/sui/public/user-assistants',
    query: z.object({ ...page, user_id: z.string().check(z.maxLength(200)) }),
    response: SuiPage,
    summary: "The agents of one person's wallet",
  }),
  get: route({ method: 'GET', path: '/v1/sui/assistant/:id', params: Id, response: SuiAgent, summary: 'One agent with its signed manifest' }),
  ground: route({
    method: 'POST',
    path: '/v1/sui/assistant/ground',
    body: z.object({ profileImage: filled(500) }),
    response: SuiGround,
    summary: 'What the next manifest has to say of picture, server and time',
  }),
  remove: route({
    method: 'DELETE',
    path: '/v1/sui/assistant/:id',
    params: Id,
    body: z.object({ signature: text(sui.maxSignature) }),
    response: z.void(),
    status: 204,
    summary: "Deletes an agent of the person's wallet, by its signature",
  }),
  history: route({ method: 'GET', path: '/v1/sui/assistant/:id/history', params: Id, response: SuiHistory, summary: 'All signed versions' }),
  export: route({
    method: 'GET',
    path: '/v1/sui/assistant/:id/export',
    params: Id,
    response: SuiBundle,
    summary: 'The agent as a file for another server; with prompt and knowledge for its owner alone',
  }),
  import: route({
    method: 'POST',
    path: '/v1/sui/assistant/import',
    body: SuiBundle,
    response: SuiAgent,
    status: 201,
    summary: "Takes an agent of the person's wallet over from another server, with its id, author and history",
  }),
} as const

/** Multipart, as `SuiForm`; PUT changes the agent of `id`. */
export const createSuiPath = '/v1/sui/assistant/create'
export const updateSuiPath = '/v1/sui/assistant/:id'

const flag = z.enum(['true', 'false'])

/** Fields of the form, besides the files `knowledge`, `avatar` and `thumbnail`. What they say has to be what the manifest says. */
export const SuiForm = z.object({
  manifest: text(sui.maxManifest),
  signature: text(sui.maxSignature),
  salt: SuiSecrets.shape.salt,
  name: z.string(),
  role: z.string(),
  about: z.string(),
  defaultGreetings: z._default(z.string(), ''),
  language: z.string(),
  category: z._default(z.string(), ''),
  isPrivate: flag,
  enabled: flag,
  userPrice: z.string(),
  profileImage: filled(500),
  prompt: filled(prompt),
  /** The prompts of its other languages, as JSON. */
  prompts: z.optional(text(sui.maxPrompts)),
  /** Both are the account's, whatever is said here. */
  userEmail: z.optional(z.string()),
  userName: z.optional(z.string()),
})
export type SuiForm = z.infer<typeof SuiForm>
