// A large account in the cloud: 10,000 channels and a channel of 50,000 messages on PostgreSQL, beside a thousand other
// accounts.   npm run bench cloud [-- --plans]   (--plans prints what each statement reads)
import pg from 'pg'
import { createDatabase, postgresqlUrl } from '../../apps/server/src/testing/postgresql'
import { ParleyServer } from '../../e2e/parley-server'
import { ana, otherSession, signUp } from '../../e2e/people'
import { fill, planted, sizes } from './fill'
import { measureJumps } from './jump'
import { type Ask, Caller, type Figures, percentile } from './measure'
import { checkPlans } from './plans'

const aimMs = 200
const jumpAimMs = 500
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
  const { token, userId } = await anAccount()
  const channelId = await filled(userId)
  await measureCalls(token, channelId)
  await showPlans(userId, channelId)
  await showJumps()
} finally {
  await server.remove()
  await database.drop()
}
process.exitCode = failed ? 1 : 0

async function anAccount(): Promise<{ token: string; userId: string }> {
  await signUp(server, ana)
  return otherSession(server, ana)
}

async function filled(userId: string): Promise<string> {
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  const start = performance.now()
  const channelId = await fill(client, userId)
  const { rows } = await client.query<{ messages: string; size: string }>(
    `select count(*) as messages, pg_size_pretty(pg_database_size(current_database())) as size from messages`,
  )
  const thousands = (count: number): string => count.toLocaleString('en')
  console.log(
    `${thousands(sizes.channels)} channels, one with ${thousands(sizes.messagesOfLongest)} messages; ${thousands(sizes.strangers)} other accounts; ` +
      `${thousands(Number(rows[0]?.messages))} messages in all, ${rows[0]?.size} (filled in ${((performance.now() - start) / 1_000).toFixed(0)} s)\n`,
  )
  await client.end()
  return channelId
}

async function callsOf(caller: Caller, channelId: string): Promise<Record<string, Ask>> {
  const page = `/api/chat/documents/0/100/${channelId}`
  const search =
    (q: string, more = ''): Ask =>
    () =>
      `/api/channel/search?q=${encodeURIComponent(q)}&order=newest${more}`
  const deep = await deepCursors(caller, page)
  const places = await placesOf(caller, channelId)
  const second = JSON.parse(await caller.get(search(planted.half)(0))) as { cursor?: string }
  return {
    'list, first page (1,000 channels)': () => `/api/channel?page=0&size=1000`,
    'list, one page of the whole list': (round) => `/api/channel?page=${round % 10}&size=1000`,
    'open the channel (newest 50)': () => `/api/chat/documents/0/50/${channelId}`,
    'scroll up, 100 at a time, by cursor': (round) => `${page}?before=${deep[round % deep.length]}`,
    'a far page by its number': (round) => `/api/chat/documents/${400 + (round % 99)}/100/${channelId}`,
    'jump to a message': (round) => `/api/chat/documents/0/50/${channelId}?around=${places[round % places.length]}`,
    'search: a word of half the messages': search(planted.half),
    'search: its second page': search(planted.half, `&cursor=${encodeURIComponent(second.cursor ?? '')}`),
    'search: a rare word': search(planted.rare),
    'search: two words': search('servidor minutos'),
    'search: two common words that never meet': search(`${planted.firstHalf} ${planted.otherHalf}`),
    'search: a word with accents': search('coração'),
    'search: no hit': search('nowherefound'),
    'search: the beginning of a word': search('te'),
    'search: one letter': search('a'),
    'search: a word of shared channels': search(planted.shared),
    'search, best first: a common word': () => `/api/channel/search?q=coracao`,
    'search, best first: two words': () => `/api/channel/search?q=servidor%20minutos`,
  }
}

/** Forty cursors, each a page farther up than the one before, from the middle of the channel. */
async function deepCursors(caller: Caller, page: string): Promise<string[]> {
  const cursors = [String(sizes.messagesOfLongest / 2)]
  while (cursors.length < 40) {
    const { cursor } = JSON.parse(await caller.get(`${page}?before=${cursors.at(-1)}`)) as { cursor?: string }
    if (cursor === undefined) throw new Error('the channel ends too soon')
    cursors.push(cursor)
  }
  return cursors
}

/** The ids of messages from all over the channel. */
async function placesOf(caller: Caller, channelId: string): Promise<string[]> {
  const ids: string[] = []
  for (let page = 0; page < 500; page += 20) {
    const { content } = JSON.parse(await caller.get(`/api/chat/documents/${page}/100/${channelId}`)) as {
      content: { mId: string }[]
    }
    ids.push(content[50]?.mId ?? '')
  }
  return ids
}

async function measureCalls(token: string, channelId: string): Promise<void> {
  const caller = new Caller(server.url, token, parallel)
  const calls = await callsOf(caller, channelId)
  const floorAsk: Ask = () => '/api/health/ready'
  const floors = [await caller.measure(floorAsk, rounds, 1), await caller.measure(floorAsk, rounds, parallel)] as const
  const shown = ({ p50, p95, worst }: Figures): string =>
    [p50, p95, worst].map((ms) => ms.toFixed(1).padStart(7)).join('')
  console.log(
    `ms: p50, p95, worst of ${rounds} calls${' '.repeat(20)} one client              p95/floor | ${parallel} clients               p95/floor   kB`,
  )
  console.log(`${'health, select 1 (floor)'.padEnd(46)}${shown(floors[0])}       1.0 | ${shown(floors[1])}       1.0`)
  for (const [name, ask] of Object.entries(calls)) {
    const alone = await caller.measure(ask, rounds, 1)
    const together = await caller.measure(ask, rounds, parallel)
    const ratios = [alone.p95 / floors[0].p95, together.p95 / floors[1].p95].map((ratio) =>
      ratio.toFixed(1).padStart(10),
    )
    const isSlow = alone.p95 >= aimMs
    failed ||= isSlow
    console.log(
      `${name.padEnd(46)}${shown(alone)}${ratios[0]} | ${shown(together)}${ratios[1]} ${alone.kilobytes.toFixed(0).padStart(6)}${isSlow ? '  SLOW' : together.p95 >= aimMs ? '  slow for four' : ''}`,
    )
  }
  const start = performance.now()
  for (let page = 0; page < 10; page++) await caller.get(`/api/channel?page=${page}&size=1000`)
  console.log(`\nthe whole list, ten calls one after the other: ${(performance.now() - start).toFixed(0)} ms`)
  console.log(`every call under ${aimMs} ms at p95 for one client: ${failed ? 'NOT met' : 'met'}`)
  await caller.close()
}

async function showPlans(userId: string, channelId: string): Promise<void> {
  const checked = await checkPlans(database.url, userId, channelId)
  const sequential = checked.filter((each) => each.sequential.length > 0)
  if (process.argv.includes('--plans'))
    for (const { name, reads } of checked) console.log(`${name.padEnd(48)} ${reads.join(', ')}`)
  console.log(
    `statements of ${checked.length} calls of the stores that read all of messages or channels (aim: none): ${sequential.length}`,
  )
  for (const { name, reads } of sequential) console.log(`  ${name}: ${reads.join(', ')}`)
  failed ||= sequential.length > 0
}

async function showJumps(): Promise<void> {
  const { opening, near, far } = await measureJumps(server.url, planted.rare)
  const shown = (times: readonly number[]): string =>
    `${percentile(times, 0.5).toFixed(0)}, ${Math.max(...times).toFixed(0)} ms`
  console.log(
    `from the click on a hit to the message on the screen, in the app (p50, worst of ${far.length}; aim: p50 under ${jumpAimMs} ms)`,
  )
  console.log(`  to the newest message (floor)       ${shown(near)}`)
  console.log(
    `  to the beginning of the channel     ${shown(far)}   ratio ${(percentile(far, 0.5) / percentile(near, 0.5)).toFixed(1)}`,
  )
  console.log(`  far up, opening the channel as well ${shown(opening)}`)
  failed ||= percentile(far, 0.5) >= jumpAimMs || percentile(opening, 0.5) >= jumpAimMs
}
