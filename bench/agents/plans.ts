import { drizzle } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import type { Db } from '../../apps/server/src/db/client'
import { searchAgents, similarWords } from '../../apps/server/src/features/agents/agent-search-store'
import {
  findAgent,
  findForChat,
  listCommunity,
  listOfCreator,
  listOwn,
  listProduct,
  readAgents,
} from '../../apps/server/src/features/agents/agent-store'
import { agentQuery } from '../../apps/server/src/features/agents/agent-words'
import { planted } from './fill'

type Plan = { 'Node Type': string; 'Relation Name'?: string; 'Index Name'?: string; Plans?: Plan[] }
/**
 * `sequential`: the large tables that are read from end to end. `reads`: every way in which a table or an index is
 * read.
 */
export type Checked = { name: string; sequential: string[]; reads: string[] }

const big = ['agents', 'agent_search', 'agent_secrets', 'agent_words', 'agent_likes', 'users']

/** Calls the server's own stores, and asks the database how it runs each statement that they send. */
export async function checkPlans(
  url: string,
  { userId, agentId, creatorId }: { userId: string; agentId: string; creatorId: string },
): Promise<Checked[]> {
  const pool = new pg.Pool({ connectionString: url, max: 1 })
  const sent: { statement: string; parameters: unknown[] }[] = []
  const db: Db = drizzle(pool, {
    logger: { logQuery: (statement, parameters) => void sent.push({ statement, parameters }) },
  })
  const first = { page: 0, size: 21, lang: undefined }
  const search = (terms: string[]) => () =>
    searchAgents(db, {
      query: agentQuery(terms, { finders: [{ list: 'community' }] }),
      sort: undefined,
      page: 0,
      size: 50,
    })
  const calls: Record<string, () => Promise<unknown>> = {
    'newest, first page': () => listCommunity(db, { ...first, sort: undefined }),
    'newest, in Spanish': () => listCommunity(db, { ...first, lang: 'es', sort: undefined }),
    'newest, far page': () => listCommunity(db, { ...first, page: 3_500, sort: undefined }),
    'trending, first page': () => listCommunity(db, { ...first, sort: 'likes' }),
    own: () => listOwn(db, userId, first),
    "the team's": () => listProduct(db, first),
    "one creator's": () => listOfCreator(db, creatorId, first),
    'one agent': () => findAgent(db, userId, agentId),
    'a page of agents': () => readAgents(db, userId, [agentId, 'product-parley']),
    'an agent for a chat': () => findForChat(db, userId, agentId),
    'search: a rare word': search([planted.rare]),
    'search: a word of half the agents': search([planted.half]),
    'search: no hit': search(['nowherefound']),
    'words alike': () => similarWords(db, [planted.mistyped]),
  }
  const checked: Checked[] = []
  for (const [name, call] of Object.entries(calls)) {
    sent.length = 0
    await call()
    checked.push({ name, ...(await plansOf(pool, [...sent])) })
  }
  await pool.end()
  return checked
}

async function plansOf(
  pool: pg.Pool,
  sent: readonly { statement: string; parameters: unknown[] }[],
): Promise<Pick<Checked, 'sequential' | 'reads'>> {
  const all: Plan[] = []
  const collect = (plan: Plan): void => {
    all.push(plan)
    plan.Plans?.forEach(collect)
  }
  for (const { statement, parameters } of sent) {
    // As the store has it: a search is planned by what it has set in its transaction.
    if (/^(begin|commit)/i.test(statement)) await pool.query(statement)
    if (statement.includes('set_config')) await pool.query(statement, parameters)
    if (!/^\s*(select|with)/i.test(statement)) continue
    const { rows } = await pool.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
      `explain (format json) ${statement}`,
      parameters,
    )
    for (const { 'QUERY PLAN': plans } of rows) for (const { Plan } of plans) collect(Plan)
  }
  const scans = all.filter((plan) => plan['Node Type'].includes('Scan'))
  return {
    sequential: scans
      .filter((plan) => plan['Node Type'] === 'Seq Scan' && big.includes(plan['Relation Name'] ?? ''))
      .map((plan) => plan['Relation Name'] ?? ''),
    reads: [
      ...new Set(
        scans.map((plan) => `${plan['Node Type']} ${plan['Index Name'] ?? plan['Relation Name'] ?? ''}`.trim()),
      ),
    ],
  }
}
