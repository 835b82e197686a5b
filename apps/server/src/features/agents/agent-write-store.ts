import { and, count, eq, inArray, notInArray, sql } from 'drizzle-orm'
import type { Db } from '../../db/client'
import { agentSearch, agentSecrets, agents, agentWords } from '../../db/schema/agents'
import { users } from '../../db/schema/users'

/** All rows of an agent. `entries` are its lexemes in the search index, `words` the plain words among them. */
export type AgentRecord = {
  row: typeof agents.$inferInsert
  secrets: Omit<typeof agentSecrets.$inferInsert, 'agentId'>
  entries: string[]
  words: string[]
}

/** Counts a person's agents under a lock of their account, so that concurrent calls cannot exceed the limit. */
export async function lockAndCountOwn(tx: Db, userId: string): Promise<number> {
  await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('update')
  const [row] = await tx.select({ own: count() }).from(agents).where(eq(agents.userId, userId))
  return row?.own ?? 0
}

/** Locks the person's own agent until the transaction ends. */
export async function lockOwn(tx: Db, userId: string, id: string) {
  const [row] = await tx
    .select()
    .from(agents)
    .where(and(eq(agents.id, id), eq(agents.userId, userId)))
    .for('update')
  return row
}

export async function insertAgent(tx: Db, agent: AgentRecord): Promise<void> {
  await tx.insert(agents).values(agent.row)
  await writeDetails(tx, [agent])
}

/** Keeps the likes and the creation date. */
export async function updateOwn(tx: Db, userId: string, agent: AgentRecord): Promise<void> {
  const { id, createdAt: _created, likes: _likes, ...change } = agent.row
  await tx
    .update(agents)
    .set(change)
    .where(and(eq(agents.id, id), eq(agents.userId, userId)))
  await writeDetails(tx, [agent])
}

/** False for an agent of somebody else. */
export async function deleteOwn(db: Db, userId: string, id: string): Promise<boolean> {
  const { rowCount } = await db.delete(agents).where(and(eq(agents.id, id), eq(agents.userId, userId)))
  return rowCount === 1
}

/**
 * Removes the owner of a person's public, active agents. An uploaded picture is deleted with the account, so a drawn
 * face replaces it.
 */
export async function disownPublic(db: Db, userId: string): Promise<void> {
  await db
    .update(agents)
    .set({
      userId: null,
      profileImage: sql`case when starts_with(${agents.profileImage}, '/api/pictures/') then '/api/faces/' || ${agents.id} || '.svg' else ${agents.profileImage} end`,
    })
    .where(
      and(
        eq(agents.userId, userId),
        eq(agents.source, 'community'),
        eq(agents.isPrivate, false),
        eq(agents.isEnabled, true),
      ),
    )
}

/** Deletes all agents of a person. */
export async function deleteAllOwn(db: Db, userId: string) {
  return db.delete(agents).where(eq(agents.userId, userId)).returning({ name: agents.name, texts: agents.texts })
}

/**
 * Writes the team's agents and keeps their likes; never overwrites an agent of another source. Writes in the order of
 * the ids, so that nodes that start at the same time cannot deadlock.
 */
export async function upsertProduct(tx: Db, records: readonly AgentRecord[]): Promise<void> {
  const sorted = records.toSorted((a, b) => (a.row.id < b.row.id ? -1 : 1))
  const excluded = (column: string) => sql.raw(`excluded.${column}`)
  await tx
    .insert(agents)
    .values(sorted.map(({ row }) => row))
    .onConflictDoUpdate({
      target: agents.id,
      set: {
        name: excluded('name'),
        category: excluded('category'),
        profileImage: excluded('profile_image'),
        texts: excluded('texts'),
        languageBits: excluded('language_bits'),
        isEnabled: excluded('is_enabled'),
        contentHash: excluded('content_hash'),
        createdAt: excluded('created_at'),
        updatedAt: excluded('updated_at'),
      },
      setWhere: eq(agents.source, 'product'),
    })
  await writeDetails(tx, sorted)
}

/** Switches off product agents that the team has removed; their likes stay in case they return. */
export async function retireProduct(tx: Db, exceptIds: readonly string[]): Promise<void> {
  await tx
    .update(agents)
    .set({ isEnabled: false, contentHash: null })
    .where(
      and(
        eq(agents.source, 'product'),
        eq(agents.isEnabled, true),
        exceptIds.length > 0 ? notInArray(agents.id, [...exceptIds]) : undefined,
      ),
    )
}

async function writeDetails(tx: Db, records: readonly AgentRecord[]): Promise<void> {
  await tx
    .insert(agentSecrets)
    .values(records.map(({ row, secrets }) => ({ agentId: row.id, ...secrets })))
    .onConflictDoUpdate({
      target: agentSecrets.agentId,
      set: { prompts: sql`excluded.prompts`, knowledge: sql`excluded.knowledge` },
    })
  for (const { row, entries } of records) {
    await tx.execute(sql`
      insert into agent_search (agent_id, words, likes, created_at)
      select ${row.id}, array_to_tsvector(${sql.param(entries)}::text[]), likes, created_at from agents where id = ${row.id}
      on conflict (agent_id) do update set words = excluded.words`)
  }
  // Sorted, so that two concurrent writes cannot deadlock.
  const words = [...new Set(records.flatMap((each) => each.words))].sort()
  await tx.execute(
    sql`insert into agent_words (word) select unnest(${sql.param(words)}::text[]) on conflict do nothing`,
  )
}

/** Deletes those of the words that no agent contains any more. */
export async function deleteUnusedWords(db: Db, words: readonly string[]): Promise<void> {
  if (words.length === 0) return
  const isUsed = sql`exists (select from ${agentSearch} where ${agentSearch.words} @@ quote_literal(${agentWords.word})::tsquery)`
  await db.delete(agentWords).where(and(inArray(agentWords.word, [...words]), sql`not ${isUsed}`))
}
