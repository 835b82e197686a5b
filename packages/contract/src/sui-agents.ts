// Agents of wallets on the wire: the form that publishes a version, the file that moves an agent, and the routes.
import * as z from 'zod/mini'
import { cleanDraft } from './agent-cleaning'
import { Agent, type AgentDraft, agentLanguages, SeenAgent } from './agents'
import { limits } from './limits/shared'
import { route } from './route'
import {
  Digest,
  Domain,
  filled,
  type SuiDigests,
  SuiHistory,
  type SuiManifest,
  SuiSecrets,
  SuiVersion,
  suiManifestFormat,
  text,
} from './sui-manifest'
import type { AccountKind, User } from './users'

const bundleFormat = 'parley-sui-agent-bundle/1'

const { prompt: maxPrompt, sui } = limits.agents

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

export type SuiPlace = Pick<
  SuiManifest,
  'origin' | 'domain' | 'address' | 'version' | 'previous' | 'signedAt' | 'picture' | 'userPrice'
>

/** A version of what is written in the form, and the secrets that belong to it. Throws validation. */
export function suiVersionOf(
  draft: AgentDraft,
  place: SuiPlace,
  salt: string,
  digests: SuiDigests,
): { manifest: SuiManifest; secrets: SuiSecrets } {
  const { name, category = '', texts, knowledge = '' } = cleanDraft(cleanly(draft))
  const secrets: SuiSecrets = {
    salt,
    prompts: Object.fromEntries(texts.map(({ language, prompt }) => [language, prompt])),
    knowledge,
  }
  return {
    secrets,
    manifest: {
      ...place,
      format: suiManifestFormat,
      name,
      category,
      languages: texts.map(({ language, role, about, defaultGreetings }) => ({
        language,
        role,
        about,
        defaultGreetings,
      })),
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
  return {
    ...draft,
    ...own,
    name,
    ...(category === undefined ? {} : { category }),
    ...(knowledge === undefined ? {} : { knowledge }),
    languages: texts,
  }
}

/** The form that makes this manifest; its picture is what is shown. */
export function draftOfManifest({
  manifest,
  secrets,
  profileImage,
}: {
  manifest: SuiManifest
  secrets: SuiSecrets
  profileImage: string
}): AgentDraft {
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
export function isSuiPerson({
  email,
  app_metadata,
}: Pick<User, 'email'> & { app_metadata?: { kind?: AccountKind | undefined } | undefined }): boolean {
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
export const SuiPage = z.object({
  data: z.array(Agent),
  pagination: z.object({ totalAssistants: z.number(), hasNextPage: z.boolean() }),
})
export type SuiPage = z.infer<typeof SuiPage>

/** One agent with its last version; its secrets for its owner alone. */
export const SuiAgent = z.object({ agent: SeenAgent, head: SuiVersion, secrets: z.optional(SuiSecrets) })
export type SuiAgent = z.infer<typeof SuiAgent>

/** What the next version has to say: the picture as this server keeps it, its digest, this server's name and clock. */
export const SuiGround = z.object({ profileImage: z.string(), picture: Digest, domain: Domain, now: z.string() })
export type SuiGround = z.infer<typeof SuiGround>

/**
 * Whoever may not read an agent gets agent.private or agent.not-found; whatever is not signed as it must be, one of the
 * `sui.` errors.
 */
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
  get: route({
    method: 'GET',
    path: '/v1/sui/assistant/:id',
    params: Id,
    response: SuiAgent,
    summary: 'One agent with its signed manifest',
  }),
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
  history: route({
    method: 'GET',
    path: '/v1/sui/assistant/:id/history',
    params: Id,
    response: SuiHistory,
    summary: 'All signed versions',
  }),
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

/**
 * Fields of the form, besides the files `knowledge`, `avatar` and `thumbnail`. What they say has to be what the
 * manifest says.
 */
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
  prompt: filled(maxPrompt),
  /** The prompts of its other languages, as JSON. */
  prompts: z.optional(text(sui.maxPrompts)),
  /** Both are the account's, whatever is said here. */
  userEmail: z.optional(z.string()),
  userName: z.optional(z.string()),
})
export type SuiForm = z.infer<typeof SuiForm>
