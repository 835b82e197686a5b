// An agent as a file that people keep, send and bring in again.
import * as z from 'zod/mini'
import { agentLanguages } from './agents'
import { AppError } from './errors'
import { limits } from './limits/shared'

export const agentCardFormat = 'parley-agent'
export const agentCardVersion = 1

const { name, role, about, prompt, greeting, knowledge } = limits.agents
const text = (maximum: number) => z.string().check(z.maxLength(maximum))

const CardTexts = z.object({
  language: z.enum(agentLanguages),
  role: text(role),
  about: text(about),
  /** Only in what the agent's owner exports. */
  prompt: z._default(text(prompt), ''),
  defaultGreetings: z._default(text(greeting), ''),
})

/** What a card says. Ids, owners and uploaded pictures are not on it: they belong to one server. */
export const AgentCard = z.object({
  format: z.literal(agentCardFormat),
  version: z.literal(agentCardVersion),
  name: text(name),
  category: z.optional(text(50)),
  /** A drawn face: it is the same on every server. */
  profileImage: z.optional(z.string().check(z.regex(/^\/api\/faces\/[A-Za-z0-9_-]{1,64}\.svg$/))),
  knowledge: z.optional(text(knowledge)),
  /** The first is the agent's own language; none comes twice. */
  languages: z.array(CardTexts).check(
    z.minLength(1),
    z.maxLength(agentLanguages.length),
    z.refine((all) => new Set(all.map(({ language }) => language)).size === all.length),
  ),
})
export type AgentCard = z.infer<typeof AgentCard>

const Newer = z.object({ format: z.literal(agentCardFormat), version: z.number().check(z.gt(agentCardVersion)) })

/**
 * Reads the text of a file. Throws agent.card-newer for a card of a later version, agent.card-invalid for anything else
 * that is none.
 */
export function readAgentCard(json: string): AgentCard {
  const content = parsed(json)
  const card = z.safeParse(AgentCard, content)
  if (card.success) return card.data
  throw new AppError(z.safeParse(Newer, content).success ? 'agent.card-newer' : 'agent.card-invalid')
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch (error) {
    throw new AppError('agent.card-invalid', { cause: error })
  }
}
