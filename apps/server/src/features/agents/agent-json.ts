import type { Agent, AgentLanguage, OwnAgent } from '@parley/contract/agents'
import { product } from '@parley/contract/product'
import { shortAddress, shownName } from '@parley/contract/users'
import type { Secrets, SeenRow } from './agent-store'
import { madeGreeting } from './agent-texts'

/** An agent as everybody sees it who may see it. */
export function toAgent(row: SeenRow): Agent {
  const texts = row.texts.map((entry) => ({ ...entry, defaultGreetings: greetingOf(row, entry) }))
  const { language, role, about, defaultGreetings } = texts[0] ?? { language: 'en' as AgentLanguage, role: '', about: '', defaultGreetings: '' }
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
    ...(row.sui ? { sui: { ...row.sui, signedAt: row.sui.signedAt.toISOString(), ...(row.anchor === null ? {} : { isAnchored: true }) } } : {}),
  }
}

/** With what only its owner gets. */
export function toOwnAgent(row: SeenRow, { prompts, knowledge }: Pick<Secrets, 'prompts' | 'knowledge'>): OwnAgent {
  const agent = toAgent(row)
  return {
    ...agent,
    languages: agent.languages.map((texts) => ({ ...texts, prompt: prompts[texts.language] ?? '' })),
    prompt: prompts[agent.language] ?? '',
    knowledge,
    userEmail: row.creatorEmail ?? '',
  }
}

/** Its creator's words, or made from name and role. */
export function greetingOf({ name }: { name: string }, texts: { language: AgentLanguage; role: string; defaultGreetings: string }): string {
  return texts.defaultGreetings === '' ? madeGreeting({ name, role: texts.role }, texts.language) : texts.defaultGreetings
}

function creatorOf({ source, sui, creatorName, creatorEmail }: SeenRow): string {
  if (source === 'product') return product.name
  if (sui) return shortAddress(sui.address)
  // The account is gone.
  if (creatorEmail === null) return ''
  return shownName({ name: creatorName ?? '', email: creatorEmail, user_metadata: {} })
}
