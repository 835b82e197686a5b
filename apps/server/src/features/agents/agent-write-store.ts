import { and, count, eq, inArray, notInArray, sql } from 'drizzle-orm'
import { agentSearch, agentSecrets, agents, agentWords } from '../../db/agents-schema'
import type { Db } from '../../db/client'
import { users } from '../../db/schema'

/** An agent with all that is kept of it. `entries`: of the index of words; `words`: the plain ones. */
export type WholeAgent = {
  row: typeof agents.$inferInsert
  secrets: Omit<typeof agentSecrets.$inferInsert, 'agentId'>
  entries: string[]
  words: string[]
}

/** Locks a person's account until the transaction ends, so that agents made at once are counted one after the other. Answers how many there are. */
export async function countOwnLocked(tx: Db, userId: string): Promise<number> {
  await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('update')
  const [row] = await tx.select({ own: count() }).from(agents).where(eq(agents.userId, userId))
  return row?.own ?? 0
}

/** The person's own agent, locked until the transaction ends. */
export async function lockOwn(tx: Db, userId: string, id: string) {
  const [row] = await tx
    .select()
    .from(agents)
    .where(and(eq(agents.id, id), eq(agents.userId, userId)))
    .for('update')
  return row
}

export async function insertAgent(tx: Db, agent: WholeAgent): Promise<void> {
  await tx.insert(agents).values(agent.row)
  await writeRest(tx, [agent])
}

/** Changes the person's own agent; likes and the day it was made stay. */
export async function updateOwn(tx: Db, userId: string, agent: WholeAgent): Promise<void> {
  const { id, createdAt: _made, likes: _likes, ...change } = agent.row
  await tx
    .update(agents)
    .set(change)
    .where(and(eq(agents.id, id), eq(agents.userId, userId)))
  await writeRest(tx, [agent])
}

/** Deletes the person's own agent. False for anybody else's. */
export async function deleteOwn(db: Db, userId: string, id: string): Promise<boolean> {
  const { rowCount } = await db.delete(agents).where(and(eq(agents.id, id), eq(agents.userId, userId)))
  return rowCount === 1
}

/** Makes a person's public, active agents nobody's. A picture that the person gave goes with the account: a drawn face takes its place. */
export async function releasePublic(db: Db, userId: string): Promise<void> {
  await db
    .update(agents)
    .set({
      userId: null,
      profileImage: sql`case when starts_with(${agents.profileImage}, '/api/pictures/') then '/api/faces/' || ${agents.id} || '.svg' else ${agents.profileImage} end`,
    })
    .where(and(eq(agents.userId, userId), eq(agents.source, 'community'), eq(agents.isPrivate, false), eq(agents.isEnabled, true)))
}

/** All of a person's, before their account goes. */
export async function deleteAllOwn(db: Db, userId: string) {
  return db.delete(agents).where(eq(agents.userId, userId)).returning({ name: agents.name, texts: agents.texts })
}

/** Writes the team's agents; likes stay. One of another source is left as it is. Rows in the order of their ids, so that nodes that start at once wait for each other. */
export async function upsertProduct(tx: Db, whole: readonly WholeAgent[]): Promise<void> {
  const sorted = whole.toSorted((a, b) => (a.row.id < b.row.id ? -1 : 1))
  const given = (column: string) => sql.raw(`excluded.${column}`)
  await tx
    .insert(agents)
    .values(sorted.map(({ row }) => row))
    .onConflictDoUpdate({
      target: agents.id,
      set: {
        name: given('name'),
        category: given('category'),
        profileImage: given('profile_image'),
        texts: given('texts'),
        languageBits: given('language_bits'),
        isEnabled: given('is_enabled'),
        contentHash: given('content_hash'),
        createdAt: given('created_at'),
        updatedAt: given('updated_at'),
      },
      setWhere: eq(agents.source, 'product'),
    })
  await writeRest(tx, sorted)
}

/** Product agents that are none any more are found and asked no longer; their likes stay, should they come back. */
export async function retireProduct(tx: Db, exceptIds: readonly string[]): Promise<void> {
  await tx
    .update(agents)
    .set({ isEnabled: false, contentHash: null })
    .where(and(eq(agents.source, 'product'), eq(agents.isEnabled, true), exceptIds.length > 0 ? notInArray(agents.id, [...exceptIds]) : undefined))
}

async function writeRest(tx: Db, whole: readonly WholeAgent[]): Promise<void> {
  await tx
    .insert(agentSecrets)
    .values(whole.map(({ row, secrets }) => ({ agentId: row.id, ...secrets })))
    .onConflictDoUpdate({ target: agentSecrets.agentId, set: { prompts: sql`excluded.prompts`, knowledge: sql`excluded.knowledge` } })
  for (const { row, entries } of whole) {
    await tx.execute(sql`
      insert into agent_search (agent_id, words, likes, created_at)
      select ${row.id}, array_to_tsvector(${sql.param(entries)}::text[]), likes, created_at from agents where id = ${row.id}
      on conflict (agent_id) do update set words = excluded.words`)
  }
  // In one order, so that two who save at once wait for each other in turn.
  const words = [...new Set(whole.flatMap((each) => each.words))].sort()
  await tx.execute(sql`insert into agent_words (word) select unnest(${sql.param(words)}::text[]) on conflict do nothing`)
}

/** Forgets those of the words that no agent has any more. */
export async function forgetWords(db: Db, words: readonly string[]): Promise<void> {
  if (words.length === 0) return
  const isUsed = sql`exists (select from ${agentSearch} where ${agentSearch.words} @@ quote_literal(${agentWords.word})::tsquery)`
  await db.delete(agentWords).where(and(inArray(agentWords.word, [...words]), sql`not ${isUsed}`))
}
