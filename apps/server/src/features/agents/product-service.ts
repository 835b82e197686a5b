import { createHash } from 'node:crypto'
import { agentLanguages } from '@parley/contract/agents'
import type { Db } from '../../db/client'
import { productHashes } from './agent-store'
import { languageBits } from './agent-texts'
import { indexEntries, plainWords } from './agent-words'
import { retireProduct, upsertProduct, type WholeAgent } from './agent-write-store'
import { facePath } from './faces'
import type { ProductAgent } from './product/product-agent'

/** The first of the list is the first in the marketplace: each is made a minute after the one before. */
const firstMade = Date.UTC(2026, 0, 1)

/** Brings the team's agents up to date: writes what has changed, and nothing when nothing has. Several nodes may do it at once; likes survive. */
export async function seedProductAgents(db: Db, given: readonly ProductAgent[], now: () => number): Promise<void> {
  const known = await productHashes(db)
  const wanted = given.map((agent, index) => wholeOf(agent, index, new Date(now())))
  const changed = wanted.filter(({ row }) => {
    const before = known.get(row.id)
    return !before?.isEnabled || before.contentHash !== row.contentHash
  })
  const ids = given.map(({ id }) => id)
  const isGone = [...known].some(([id, { isEnabled }]) => isEnabled && !ids.includes(id))
  if (changed.length === 0 && !isGone) return
  await db.transaction(async (tx) => {
    if (changed.length > 0) await upsertProduct(tx, changed)
    if (isGone) await retireProduct(tx, ids)
  })
}

function wholeOf(agent: ProductAgent, index: number, now: Date): WholeAgent {
  // English first: what somebody of another language meets.
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
      createdAt: new Date(firstMade + index * 60_000),
      updatedAt: now,
    },
    secrets: { prompts: Object.fromEntries(languages.map((language) => [language, agent.texts[language].prompt])), knowledge: '' },
    entries: indexEntries(described, [{ list: 'product' }]),
    words: plainWords(described),
  }
}
