import { drizzle } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import type { Db } from '../../apps/server/src/db/client'
import { findRole } from '../../apps/server/src/features/channels/access-store'
import { listChannels } from '../../apps/server/src/features/channels/public/visible-channel-store'
import { hasMessagesFrom, nextMessages, positionOf } from '../../apps/server/src/features/messages/message-lookup-store'
import { findBest, findNewest } from '../../apps/server/src/features/messages/message-search-store'
import { countMessages, newestMessages } from '../../apps/server/src/features/messages/public/message-store'
import { planted } from './fill'

type Plan = { 'Node Type': string; 'Relation Name'?: string; 'Index Name'?: string; Plans?: Plan[] }
type Sent = { statement: string; parameters: unknown[] }
/**
 * `sequential`: the large tables that are read from end to end. `reads`: every way in which a table or an index is
 * read.
 */
export type Checked = { name: string; sequential: string[]; reads: string[] }

const big = ['messages', 'channels']

/** Calls the server's own stores, and asks the database how it runs each statement that they send. */
export async function checkPlans(url: string, userId: string, channelId: string): Promise<Checked[]> {
  const pool = new pg.Pool({ connectionString: url, max: 1 })
  const sent: Sent[] = []
  const db: Db = drizzle(pool, {
    logger: { logQuery: (statement, parameters) => void sent.push({ statement, parameters }) },
  })
  const which = { userId, channelId }
  const someId = (await newestMessages(db, which, { limit: 1, before: 20_000 }))[0]?.mId ?? ''
  const calls: Record<string, () => Promise<unknown>> = {
    'who may use the channel': () => findRole(db, { actorId: userId, channelId }),
    'first page of the list': () => listChannels(db, userId, { page: 0, size: 1_000 }),
    'last page of the list': () => listChannels(db, userId, { page: 9, size: 1_000 }),
    'newest messages': () => newestMessages(db, which, { limit: 51 }),
    'messages far up, by cursor': () => newestMessages(db, which, { limit: 101, before: 2_000 }),
    'messages far up, by number': () => newestMessages(db, which, { limit: 101, offset: 48_000 }),
    'messages below': () => nextMessages(db, which, { from: 2_000, limit: 101 }),
    'whether there are messages below': () => hasMessagesFrom(db, which, 2_000),
    'place of a message': () => positionOf(db, { ...which, mId: someId }),
    'count of messages': () => countMessages(db, which),
  }
  for (const [name, terms] of Object.entries(searches)) {
    calls[`search, newest: ${name}`] = () => findNewest(db, userId, terms, { limit: 51 })
    calls[`search, best: ${name}`] = () => findBest(db, userId, terms, { limit: 51, offset: 0 })
  }
  const half = (await findNewest(db, userId, [planted.half], { limit: 20_000 })).at(-1)?.sortKey
  calls['search, newest: far page'] = () => findNewest(db, userId, [planted.half], { limit: 51, after: half })

  const checked: Checked[] = []
  for (const [name, call] of Object.entries(calls)) {
    sent.length = 0
    await call()
    checked.push({ name, ...(await plansOf(pool, [...sent])) })
  }
  await pool.end()
  return checked
}

/** Terms as the index has them. */
const searches: Record<string, string[]> = {
  'a word of half the messages': [planted.half],
  'a rare word': [planted.rare],
  'two words': ['servidor', 'minutos'],
  'two common words that never meet': [planted.firstHalf, planted.otherHalf],
  'a word with accents': ['coracao'],
  'no hit': ['nowherefound'],
  'the beginning of a word': ['te'],
  'one letter': ['a'],
  'a word of a shared channel': [planted.shared],
}

async function plansOf(pool: pg.Pool, sent: readonly Sent[]): Promise<Pick<Checked, 'sequential' | 'reads'>> {
  const all: Plan[] = []
  const collect = (plan: Plan): void => {
    all.push(plan)
    plan.Plans?.forEach(collect)
  }
  for (const { statement, parameters } of sent) {
    const { rows } = await pool.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
      `explain (format json) ${statement}`,
      parameters,
    )
    for (const { 'QUERY PLAN': plans } of rows) for (const { Plan } of plans) collect(Plan)
  }
  const isSequential = (plan: Plan): boolean =>
    plan['Node Type'] === 'Seq Scan' && big.includes(plan['Relation Name'] ?? '')
  return {
    sequential: all.filter(isSequential).map((plan) => plan['Relation Name'] ?? ''),
    reads: [
      ...new Set(
        all.flatMap((plan) =>
          plan['Node Type'].includes('Scan')
            ? [`${plan['Node Type']} ${plan['Relation Name'] ?? plan['Index Name'] ?? ''}`.trim()]
            : [],
        ),
      ),
    ],
  }
}
