import type { Agent, AgentLanguage, OwnAgent } from '@parley/contract/agents'
import { product } from '@parley/contract/product'
import { shortAddress, shownName } from '@parley/contract/users'
import type { Secrets, VisibleAgentRow } from './agent-store'
import { defaultGreeting } from './agent-texts'

/** An agent as any viewer who may read it sees it. */
export function toAgent(row: VisibleAgentRow): Agent {
  const texts = row.texts.map((entry) => ({ ...entry, defaultGreetings: greetingOf(row, entry) }))
  const { language, role, about, defaultGreetings } = texts[0] ?? {
    language: 'en' as AgentLanguage,
    role: '',
    about: '',
    defaultGreetings: '',
  }
  return {
    _id: row.id,
    source: row.source,
    name: row.name,
    category: row.category,
    userId: row.userId,
    userName: creatorOf(row),
    profileImage: row.profileImage,
    language,
    role,
    about,
    defaultGreetings,
    languages: texts,
    private: row.isPrivate,
    enabled: row.isEnabled,
    userPrice: row.userPrice,
    likes: row.likes,
    likedByMe: row.likedByMe,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
    ...(row.sui
      ? {
          sui: {
            ...row.sui,
            signedAt: row.sui.signedAt.toISOString(),
            ...(row.anchor === null ? {} : { isAnchored: true }),
          },
        }
      : {}),
  }
}

/** Adds what only the owner sees. */
export function toOwnAgent(
  row: VisibleAgentRow,
  { prompts, knowledge }: Pick<Secrets, 'prompts' | 'knowledge'>,
): OwnAgent {
  const agent = toAgent(row)
  return {
    ...agent,
    languages: agent.languages.map((texts) => ({ ...texts, prompt: prompts[texts.language] ?? '' })),
    prompt: prompts[agent.language] ?? '',
    knowledge,
    userEmail: row.creatorEmail ?? '',
  }
}

/** The creator's greeting, or the default one. */
export function greetingOf(
  { name }: { name: string },
  texts: { language: AgentLanguage; role: string; defaultGreetings: string },
): string {
  return texts.defaultGreetings === ''
    ? defaultGreeting({ name, role: texts.role }, texts.language)
    : texts.defaultGreetings
}

function creatorOf({ source, sui, creatorName, creatorEmail }: VisibleAgentRow): string {
  if (source === 'product') return product.name
  if (sui) return shortAddress(sui.address)
  // The account was deleted.
  if (creatorEmail === null) return ''
  return shownName({ name: creatorName ?? '', email: creatorEmail, user_metadata: {} })
}
