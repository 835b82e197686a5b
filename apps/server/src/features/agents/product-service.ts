import { createHash } from 'node:crypto'
import { agentLanguages } from '@parley/contract/agents'
import type { ProductAgent } from '../../content/product-agents'
import type { Db } from '../../db/client'
import { productHashes } from './agent-store'
import { languageBits } from './agent-texts'
import { indexEntries, plainWords } from './agent-words'
import { type AgentRecord, retireProduct, upsertProduct } from './agent-write-store'
import { facePath } from './faces'

/** The list's order is that of the creation dates: each agent is dated a minute after the one before. */
const firstCreatedAt = Date.UTC(2026, 0, 1)

/** Writes the team's agents that have changed since the last start. Safe to run on several nodes at the same time. */
export async function seedProductAgents(
  db: Db,
  productAgents: readonly ProductAgent[],
  now: () => number,
): Promise<void> {
  const stored = await productHashes(db)
  const records = productAgents.map((agent, index) => recordOf(agent, index, new Date(now())))
  const changed = records.filter(({ row }) => {
    const before = stored.get(row.id)
    return !before?.isEnabled || before.contentHash !== row.contentHash
  })
  const ids = productAgents.map(({ id }) => id)
  const isRemoved = [...stored].some(([id, { isEnabled }]) => isEnabled && !ids.includes(id))
  if (changed.length === 0 && !isRemoved) return
  await db.transaction(async (tx) => {
    if (changed.length > 0) await upsertProduct(tx, changed)
    if (isRemoved) await retireProduct(tx, ids)
  })
}

function recordOf(agent: ProductAgent, index: number, now: Date): AgentRecord {
  // English comes first, because it is shown to people with another language.
  const languages = ['en', ...agentLanguages.filter((language) => language !== 'en')] as const
  const texts = languages.map((language) => {
    const { role, about, defaultGreetings } = agent.texts[language]
    return { language, role, about, defaultGreetings }
  })
  const described = { name: agent.name, texts }
  return {
    row: {
      id: agent.id,
      source: 'product',
      userId: null,
      name: agent.name,
      category: agent.category,
      profileImage: facePath(agent.face),
      texts,
      languageBits: languageBits(languages),
      isPrivate: false,
      isEnabled: true,
      contentHash: createHash('sha256')
        .update(JSON.stringify([index, agent]))
        .digest('base64url'),
      createdAt: new Date(firstCreatedAt + index * 60_000),
      updatedAt: now,
    },
    secrets: {
      prompts: Object.fromEntries(languages.map((language) => [language, agent.texts[language].prompt])),
      knowledge: '',
    },
    entries: indexEntries(described, [{ list: 'product' }]),
    words: plainWords(described),
  }
}
