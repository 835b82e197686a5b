import { sql } from 'drizzle-orm'
import type { Db } from '../../db/client'
import type { IdPage } from './agent-store'
import type { AgentQuery } from './agent-words'

/** Trigram similarity from 0 to 1: one letter that is wrong, missing or doubled in a word of six. */
const minSimilarity = 0.4
const maxSimilarWords = 8

type SearchQuery = { query: AgentQuery; sort: 'likes' | undefined; page: number; size: number }

/**
 * Matches in the name come first, then the most liked, then the newest; `sort` orders by likes alone. The query
 * contains its finders, so that the total does not count agents the viewer may not see.
 */
export async function searchAgents(db: Db, { query, sort, page, size }: SearchQuery): Promise<IdPage> {
  const tiers = sort === 'likes' ? [query.all] : [query.inName, query.others]
  const found = tiers.map(
    (words, tier) =>
      sql`select ${tier}::integer as tier, agent_id, likes, created_at from agent_search where words @@ ${words}::tsquery`,
  )
  return db.transaction(async (tx) => {
    // The planner underestimates a sequential scan: rows are short, but their words are out of line (TOAST). A search
    // for one letter matches nearly all rows, which have to fit into working memory.
    await tx.execute(sql`select set_config('enable_seqscan', 'off', true), set_config('work_mem', '32MB', true)`)
    const { rows } = await tx.execute<IdPage>(sql`
      with found as materialized (${sql.join(found, sql` union all `)})
      select (select count(*)::integer from found) as total, array(
        select agent_id from found order by tier, likes desc, created_at desc, agent_id desc limit ${size}::integer offset ${page * size}::bigint) as ids`)
    return rows[0] ?? { ids: [], total: 0 }
  })
}

/** Whether this database has the trigram index. */
export async function canFindSimilar(db: Db): Promise<boolean> {
  const { rows } = await db.execute(sql`select from pg_class where relname = 'agent_words_trigrams' and relkind = 'i'`)
  return rows.length > 0
}

/** For each term the words of agents that are similar to it, the most similar first. */
export async function similarWords(db: Db, terms: readonly string[]): Promise<Map<string, string[]>> {
  const similar = new Map<string, string[]>()
  for (const term of terms) {
    // The operator uses the index, but its threshold is a session setting, so the condition states ours as well.
    const { rows } = await db.execute<{ word: string }>(sql`
      select word from agent_words where word % ${term} and similarity(word, ${term}) >= ${minSimilarity}::real
      order by similarity(word, ${term}) desc, word limit ${maxSimilarWords}`)
    similar.set(
      term,
      rows.map(({ word }) => word),
    )
  }
  return similar
}
