// The marketplace with 100,000 agents of 2,000 creators on PostgreSQL.
//   npm run bench agents [-- --plans]   (--plans prints what each statement reads)
import pg from 'pg'
import { createDatabase, postgresqlUrl } from '../../apps/server/src/testing/postgresql'
import { ParleyServer } from '../../e2e/parley-server'
import { ana, call, otherSession, signUp } from '../../e2e/people'
import { type Ask, Caller, type Figures, percentile } from '../cloud/measure'
import { fill, planted, sizes } from './fill'
import { checkPlans } from './plans'

const aimMs = 100
const rounds = Number(process.env.ROUNDS ?? 60)
const parallel = 4

if (!postgresqlUrl) {
  console.error('TEST_DATABASE_URL names no PostgreSQL: this benchmark needs one.')
  process.exit(2)
}
const database = await createDatabase()
const server = await ParleyServer.start(
  { DATABASE_URL: database.url, RATE_LIMIT_SCALE: '0', LOG_LEVEL: 'warn' },
  'fresh',
)
let failed = false
try {
  await signUp(server, ana)
  const { token, userId } = await otherSession(server, ana)
  const places = { userId, ...(await filled(userId)) }
  await measureCalls(token, places)
  await measureLikes(token, places)
  await showPlans(places)
} finally {
  await server.remove()
  await database.drop()
}
process.exitCode = failed ? 1 : 0

async function filled(userId: string): Promise<{ agentId: string; creatorId: string }> {
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  const start = performance.now()
  const places = await fill(client, userId)
  const { rows } = await client.query<{ size: string; words: string }>(
    'select pg_size_pretty(pg_database_size(current_database())) as size, count(*) as words from agent_words',
  )
  console.log(
    `${sizes.agents.toLocaleString('en')} agents of ${sizes.creators.toLocaleString('en')} creators, ${Number(rows[0]?.words).toLocaleString('en')} words, ` +
      `${rows[0]?.size} (filled in ${((performance.now() - start) / 1_000).toFixed(0)} s)\n`,
  )
  await client.end()
  return places
}

function callsOf({ agentId, creatorId }: { agentId: string; creatorId: string }): Record<string, Ask> {
  const community =
    (more: string): Ask =>
    () =>
      `/v1/assistants/community/free?${more}`
  const search = (terms: string, more = ''): Ask =>
    community(`page_size=50&search_terms=${encodeURIComponent(terms)}${more}`)
  return {
    'newest, first page': community('page_number=0'),
    'newest, in Spanish': community('lang=es'),
    'newest, any page': (round) => `/v1/assistants/community/free?page_number=${(round * 97) % 3_500}`,
    'trending, first page': community('sort=likes'),
    'trending, in Spanish': community('sort=likes&lang=es'),
    'trending, any page': (round) => `/v1/assistants/community/free?sort=likes&page_number=${(round * 97) % 3_500}`,
    'my agents': () => '/v1/assistants/community/private?page_size=50',
    'my agents, search': () => `/v1/assistants/community/private?page_size=50&search_terms=${planted.half}`,
    "the team's agents": () => '/v1/assistants/company?page_size=100',
    "a creator's agents": () => `/v1/assistants/public/user?user_id=${creatorId}`,
    'one agent': () => `/v1/assistant?assistant_id=${agentId}`,
    'search: a rare word': search(planted.rare),
    'search: two words': search('servidor minutos'),
    'search: a word with accents': search('coração'),
    'search: a word of half the agents': search(planted.half),
    'search: the same, by likes': search(planted.half, '&sort=likes'),
    'search: the same, in Spanish': search(planted.half, '&lang=es'),
    'search: the same, a far page': search(planted.half, '&page_number=600'),
    'search: two common words that never meet': search(`${planted.firstHalf} ${planted.otherHalf}`),
    'search: the beginning of a word': search('te'),
    'search: one letter': search('a'),
    'search: a mistyped rare word': search(planted.mistyped),
    'search: a mistyped common word': search(planted.halfMistyped),
    'search: nothing like it': search('qqqwwwxxx nowherefound'),
  }
}

function shown({ p50, p95, worst }: Pick<Figures, 'p50' | 'p95' | 'worst'>): string {
  return [p50, p95, worst].map((ms) => ms.toFixed(1).padStart(7)).join('')
}

async function measureCalls(token: string, places: { agentId: string; creatorId: string }): Promise<void> {
  const caller = new Caller(server.url, token, parallel)
  const floorAsk: Ask = () => '/api/health/ready'
  const floors = [await caller.measure(floorAsk, rounds, 1), await caller.measure(floorAsk, rounds, parallel)] as const
  console.log(
    `ms: p50, p95, worst of ${rounds} calls${' '.repeat(20)} one client              p95/floor | ${parallel} clients               p95/floor   kB`,
  )
  console.log(`${'health, select 1 (floor)'.padEnd(46)}${shown(floors[0])}       1.0 | ${shown(floors[1])}       1.0`)
  for (const [name, ask] of Object.entries(callsOf(places))) {
    const alone = await caller.measure(ask, rounds, 1)
    const together = await caller.measure(ask, rounds, parallel)
    const ratios = [alone.p95 / floors[0].p95, together.p95 / floors[1].p95].map((ratio) =>
      ratio.toFixed(1).padStart(10),
    )
    failed ||= alone.p95 >= aimMs
    const remark = alone.p95 >= aimMs ? '  SLOW' : together.p95 >= aimMs ? '  slow with all of them' : ''
    console.log(
      `${name.padEnd(46)}${shown(alone)}${ratios[0]} | ${shown(together)}${ratios[1]} ${alone.kilobytes.toFixed(0).padStart(6)}${remark}`,
    )
  }
  console.log(`\nevery call under ${aimMs} ms at p95 with one client: ${failed ? 'NOT met' : 'met'}`)
  await caller.close()
}

/** A like taken and given, again and again. */
async function measureLikes(token: string, { userId, agentId }: { userId: string; agentId: string }): Promise<void> {
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const start = performance.now()
    const response = await call(server, round % 2 ? 'DELETE' : 'POST', '/v1/assistants/likes', {
      token,
      body: { assistantId: agentId, userId },
    })
    await response.text()
    times.push(performance.now() - start)
  }
  times.sort((a, b) => a - b)
  console.log(
    `a like or its end, p50, p95, worst:${shown({ p50: percentile(times, 0.5), p95: percentile(times, 0.95), worst: times.at(-1) ?? 0 })} ms`,
  )
}

async function showPlans(places: { userId: string; agentId: string; creatorId: string }): Promise<void> {
  const checked = await checkPlans(database.url, places)
  const sequential = checked.filter((each) => each.sequential.length > 0)
  if (process.argv.includes('--plans'))
    for (const { name, reads } of checked) console.log(`${name.padEnd(40)} ${reads.join(', ')}`)
  console.log(
    `statements of ${checked.length} calls of the stores that read a whole table (aim: none): ${sequential.length}`,
  )
  for (const { name, reads } of sequential) console.log(`  ${name}: ${reads.join(', ')}`)
  failed ||= sequential.length > 0
}
