import { sql } from 'drizzle-orm'
import type { Db } from '../../db/client'
import type { IdPage } from './agent-store'
import type { AgentQuery } from './agent-words'

/** How alike two words have to be, from 0 to 1: one letter that is wrong, missing or doubled in a word of six. */
const leastAlike = 0.4
const maxMeant = 8

type Wanted = { query: AgentQuery; sort: 'likes' | undefined; page: number; size: number }

/**
 * What matches: by name first, then by likes, then newest; `sort` by likes alone. The query names who finds what, so whoever may not see an agent
 * does not even count it.
 */
export async function searchAgents(db: Db, { query, sort, page, size }: Wanted): Promise<IdPage> {
  const tiers = sort === 'likes' ? [query.all] : [query.named, query.others]
  const found = tiers.map((words, tier) => sql`select ${tier}::integer as tier, agent_id, likes, created_at from agent_search where words @@ ${words}::tsquery`)
  return db.transaction(async (tx) => {
    // The rows are so short that reading them all looks cheap; their words, which are elsewhere, would have to be fetched one by one.
    // What one letter finds is nearly everything, and has to fit into memory.
    await tx.execute(sql`select set_config('enable_seqscan', 'off', true), set_config('work_mem', '32MB', true)`)
    const { rows } = await tx.execute<IdPage>(sql`
      with found as materialized (${sql.join(found, sql` union all `)})
      select (select count(*)::integer from found) as total, array(
        select agent_id from found order by tier, likes desc, created_at desc, agent_id desc limit ${size}::integer offset ${page * size}::bigint) as ids`)
    return rows[0] ?? { ids: [], total: 0 }
  })
}

/** Whether this database can tell which words are alike. */
export async function canFindAlike(db: Db): Promise<boolean> {
  const { rows } = await db.execute(sql`select from pg_class where relname = 'agent_words_trigrams' and relkind = 'i'`)
  return rows.length > 0
}

/** Words of agents that each term may have meant, the most alike first. */
export async function wordsAlike(db: Db, terms: readonly string[]): Promise<Map<string, string[]>> {
  const meant = new Map<string, string[]>()
  for (const term of terms) {
    // The operator finds by the index what is alike by a little; how much is enough is said once more, because its own threshold is the session's.
    const { rows } = await db.execute<{ word: string }>(sql`
      select word from agent_words where word % ${term} and similarity(word, ${term}) >= ${leastAlike}::real
      order by similarity(word, ${term}) desc, word limit ${maxMeant}`)
    meant.set(
      term,
      rows.map(({ word }) => word),
    )
  }
  return meant
}
