// Agents: "assistants" in the addresses and stored names of the API, which the specification fixes; agents everywhere
// else.
import * as z from 'zod/mini'
import { limits } from './limits/shared'
import { route } from './route'

/** Of an agent's texts, not of the interface. */
export const agentLanguages = ['pt', 'en', 'es'] as const
export type AgentLanguage = (typeof agentLanguages)[number]

/** product: made by the product's team. */
export const agentSources = ['product', 'community', 'sui'] as const

const { name, role, about, prompt, greeting, knowledge } = limits.agents
const text = (maximum: number) => z.string().check(z.maxLength(maximum))
const filled = (maximum: number) => text(maximum).check(z.trim(), z.minLength(1))

/** The texts of an agent in one language. */
export const AgentTexts = z.object({
  language: z.enum(agentLanguages),
  role: z.string(),
  about: z.string(),
  defaultGreetings: z.string(),
  /** Only in what the agent's owner gets. */
  prompt: z.optional(z.string()),
})
export type AgentTexts = z.infer<typeof AgentTexts>

/** What everybody sees of an agent who may see it at all. */
export const Agent = z.object({
  _id: z.string(),
  source: z.enum(agentSources),
  name: z.string(),
  category: z.string(),
  /** The creator's; null for the product's. */
  userId: z.nullable(z.string()),
  userName: z.string(),
  /** An address of this server. */
  profileImage: z.string(),
  language: z.enum(agentLanguages),
  role: z.string(),
  about: z.string(),
  defaultGreetings: z.string(),
  /** The same texts in each language that the agent has; the first is the agent's own. */
  languages: z.array(AgentTexts),
  private: z.boolean(),
  enabled: z.boolean(),
  /** Stored for agents on the chain; never charged. */
  userPrice: z.number(),
  likes: z.number(),
  likedByMe: z.boolean(),
  created_at: z.string(),
  updated_at: z.string(),
  /**
   * Of a wallet's agent: who signed it, the digest of the manifest that is shown, and whether the wallet has published
   * that on the chain.
   */
  sui: z.optional(
    z.object({
      address: z.string(),
      version: z.number(),
      digest: z.string(),
      signedAt: z.string(),
      isAnchored: z.optional(z.boolean()),
    }),
  ),
})
export type Agent = z.infer<typeof Agent>

/** What its owner sees besides. */
export const OwnAgent = z.extend(Agent, { prompt: z.string(), knowledge: z.string(), userEmail: z.string() })
export type OwnAgent = z.infer<typeof OwnAgent>

/** An agent of somebody else, or one's own with its prompt. */
export const SeenAgent = z.union([OwnAgent, Agent])
export type SeenAgent = z.infer<typeof SeenAgent>

export const isOwnAgent = (agent: SeenAgent): agent is OwnAgent => 'prompt' in agent

const AgentDraftTexts = z.object({
  language: z.enum(agentLanguages),
  role: filled(role),
  about: filled(about),
  prompt: filled(prompt),
  defaultGreetings: z.optional(text(greeting)),
})

/**
 * To make an agent, or to change one (`_id`). Without `languages` its texts are those of `language` alone; with them,
 * the entry of `language` counts.
 */
export const AgentDraft = z.object({
  _id: z.optional(z.string().check(z.maxLength(200))),
  name: filled(name),
  category: z.optional(text(50)),
  language: z.enum(agentLanguages),
  role: filled(role),
  about: filled(about),
  prompt: filled(prompt),
  knowledge: z.optional(text(knowledge)),
  /** Ids of all its files (agent-files.ts), the others go; where it is not given they stay. Not of a wallet's agent. */
  knowledgeFiles: z.optional(z.array(z.string().check(z.maxLength(200))).check(z.maxLength(limits.agents.maxFiles))),
  /** Made from name and role where it is not given. */
  defaultGreetings: z.optional(text(greeting)),
  /** An address of this server, from `images` or `upload`. */
  profileImage: filled(500),
  private: z.boolean(),
  enabled: z.boolean(),
  languages: z.optional(z.array(AgentDraftTexts).check(z.maxLength(agentLanguages.length))),
})
export type AgentDraft = z.infer<typeof AgentDraft>

const page = (size: number) => ({
  page_number: z.optional(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(100_000))),
  page_size: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(limits.agents.maxPage)), size),
  /** Agents that have texts in it. */
  lang: z.optional(z.enum(agentLanguages)),
  /** Words of name, role and about; beginnings and small mistakes count. Blank: no search. */
  search_terms: z.optional(z.string().check(z.maxLength(limits.agents.maxSearch))),
  /** Against caches on the way. */
  _t: z.optional(z.string()),
})

/** total_count is exact; a page past the end is empty. */
export const AgentPage = z.object({ assistants: z.array(SeenAgent), total_count: z.number() })
export type AgentPage = z.infer<typeof AgentPage>

const AssistantId = z.object({ id: z.string().check(z.minLength(1), z.maxLength(200)) })
const Like = z.object({
  assistantId: z.string().check(z.minLength(1), z.maxLength(200)),
  /** The token's own. */
  userId: z.string(),
})
const Likes = z.object({ likes: z.number(), likedByMe: z.boolean() })
export type Likes = z.infer<typeof Likes>

/**
 * Another's private agent: 403 'Private assistant'. Another's agent in a call of its owner, and one that is not there:
 * 404.
 */
export const agentRoutes = {
  community: route({
    method: 'GET',
    path: '/v1/assistants/community/free',
    query: z.object({ ...page(limits.agents.communityPage), sort: z.optional(z.enum(['likes'])) }),
    response: AgentPage,
    summary: "Everybody's public agents, newest first or by likes",
  }),
  mine: route({
    method: 'GET',
    path: '/v1/assistants/community/private',
    query: z.object(page(limits.agents.communityPage)),
    response: AgentPage,
    summary: "The person's own agents, private and inactive ones too",
  }),
  product: route({
    method: 'GET',
    path: '/v1/assistants/company',
    query: z.object(page(limits.agents.productPage)),
    response: AgentPage,
    summary: "The product team's agents",
  }),
  ofCreator: route({
    method: 'GET',
    path: '/v1/assistants/public/user',
    query: z.object({ user_id: z.string().check(z.maxLength(200)), lang: z.optional(z.enum(agentLanguages)) }),
    response: AgentPage,
    summary: 'The public agents of one creator',
  }),
  get: route({
    method: 'GET',
    path: '/v1/assistant',
    query: z.object({ assistant_id: z.string().check(z.minLength(1), z.maxLength(200)) }),
    response: SeenAgent,
    summary: 'One agent',
  }),
  save: route({
    method: 'POST',
    path: '/v1/assistants',
    body: AgentDraft,
    response: OwnAgent,
    status: 201,
    summary: "Makes an agent, or changes one of the person's own",
  }),
  remove: route({
    method: 'DELETE',
    path: '/v1/assistants/:id',
    params: AssistantId,
    response: z.void(),
    status: 204,
    summary: "Deletes one of the person's own agents",
  }),
  like: route({
    method: 'POST',
    path: '/v1/assistants/likes',
    body: Like,
    response: Likes,
    summary: 'Likes an agent, once',
  }),
  unlike: route({
    method: 'DELETE',
    path: '/v1/assistants/likes',
    body: Like,
    response: Likes,
    summary: 'Takes a like back',
  }),
  images: route({
    method: 'GET',
    path: '/v1/assistants/images',
    response: z.object({ data: z.array(z.object({ url: z.string() })) }),
    summary: 'Faces to choose from: from the image model where there is one, else drawn',
  }),
} as const

/**
 * A picture of one's own: multipart with one file, square afterwards, and written anew so that nothing but the picture
 * is kept.
 */
export const uploadImagePath = '/v1/assistants/images'
export const UploadedImage = z.object({ url: z.string() })

/** A page of this app, below the server's own address. */
export const agentPath = (id: string): string => `/assistant/${encodeURIComponent(id)}`

/**
 * The texts for somebody who reads `language` (pt-BR, en-US, es-ES): those of the nearest language, else the agent's
 * own.
 */
export function agentTexts(
  agent: Pick<Agent, 'languages' | 'language' | 'role' | 'about' | 'defaultGreetings'>,
  language: string,
): AgentTexts {
  const base = language.split('-')[0]?.toLowerCase()
  return agent.languages.find((texts) => texts.language === base) ?? agent
}
