// What charging costs the database: holding and settling for one answer, with many people at once and with one; and the
// heartbeat that keeps holds alive.
import { tmpdir } from 'node:os'
import { dollars } from '@parley/contract/money'
import { uuidv7 } from '@parley/contract/uuid'
import { sql } from 'drizzle-orm'
import { type Db, openDatabase } from '../../apps/server/src/db/client'
import { HoldService } from '../../apps/server/src/features/credits/hold-service'
import { LedgerService } from '../../apps/server/src/features/credits/public/ledger'
import { createLogger } from '../../apps/server/src/plugins/logging'
import { aPersonWith } from '../../apps/server/src/testing/ledger-people'
import { createDatabase, postgresqlUrl } from '../../apps/server/src/testing/postgresql'

const flows = 16
const seconds = Number(process.env.SECONDS ?? 8)
const underWay = 500
const beats = 40
/** Of the floor: fourteen statements with their checks stand against the floor's two. */
const aim = 0.1

if (!postgresqlUrl) {
  console.error('TEST_DATABASE_URL names no PostgreSQL: this benchmark needs one.')
  process.exit(2)
}
const temporary = await createDatabase()
const onCrash = (error: Error): void => {
  throw error
}
const database = await openDatabase({
  databaseUrl: temporary.url,
  dataDir: tmpdir(),
  log: createLogger({ level: 'warn' }),
  onCrash,
})
const { db } = database
const [ledger, holds] = [new LedgerService({ db, now: Date.now }), new HoldService({ db, now: Date.now })]
let isMissed = false
try {
  await db.execute(sql`create table bench_floor (id int primary key, n bigint not null)`)
  await db.execute(sql`insert into bench_floor select n, 0 from generate_series(1, ${flows}) n`)
  const people = await Promise.all(Array.from({ length: flows }, () => aPersonWith(db, ledger, '100000')))
  const [one = ''] = people

  const floor = await perSecond((flow) => twoWrites(db, flow + 1))
  const apart = await perSecond((flow) => answer(people[flow] ?? one))
  const together = await perSecond(() => answer(one))
  console.log(`${flows} flows for ${seconds} s each`)
  tell('two transactions of one update each (the floor)', floor)
  tell('an answer held and settled, each flow a person', apart, floor)
  tell('an answer held and settled, all one person', together, floor)
  isMissed = apart.rate < aim * floor.rate

  const messages = await Promise.all(Array.from({ length: underWay }, (_, n) => held(people[n % flows] ?? one)))
  const [beat, plain] = [
    await timed(() => holds.extend(db, messages)),
    await timed(() => db.execute(sql`update bench_floor set n = n + 1`)),
  ]
  console.log(
    `\na heartbeat of ${underWay} answers: ${beat.toFixed(1)} ms, ${((beat / underWay) * 1_000).toFixed(0)} µs each (an update of ${flows} rows: ${plain.toFixed(1)} ms)`,
  )
  const { findings } = await ledger.check()
  if (findings.length > 0) throw new Error(`the ledger is not in order: ${findings[0]?.rule}`)
} finally {
  await database.close()
  await temporary.drop()
}
process.exitCode = isMissed ? 1 : 0

async function twoWrites(at: Db, id: number): Promise<void> {
  for (const by of [1, -1])
    await at.transaction((tx) => tx.execute(sql`update bench_floor set n = n + ${by} where id = ${id}`))
}

async function held(userId: string) {
  const messageId = uuidv7()
  await holds.reserve(db, { userId, messageId, amount: dollars('0.01'), model: 'bench' })
  return { userId, messageId, cost: dollars('0.001') }
}

async function answer(userId: string): Promise<void> {
  await holds.settle(db, { ...(await held(userId)), usage: { inputTokens: 100, outputTokens: 500 } })
}

type Figures = { rate: number; p50: number; p99: number }

async function perSecond(act: (flow: number) => Promise<void>): Promise<Figures> {
  const took: number[] = []
  const start = performance.now()
  const run = async (flow: number): Promise<void> => {
    while (performance.now() - start < seconds * 1_000) {
      const from = performance.now()
      await act(flow)
      took.push(performance.now() - from)
    }
  }
  await Promise.all(Array.from({ length: flows }, (_, flow) => run(flow)))
  took.sort((a, b) => a - b)
  const at = (share: number): number => took[Math.floor(took.length * share)] ?? 0
  return { rate: took.length / ((performance.now() - start) / 1_000), p50: at(0.5), p99: at(0.99) }
}

async function timed(act: () => Promise<unknown>): Promise<number> {
  const took: number[] = []
  for (let n = 0; n < beats; n++) {
    const from = performance.now()
    await act()
    took.push(performance.now() - from)
  }
  return took.sort((a, b) => a - b)[Math.floor(beats / 2)] ?? 0
}

function tell(name: string, { rate, p50, p99 }: Figures, floor?: Figures): void {
  const ratio = floor ? `  ${(rate / floor.rate).toFixed(2)} of the floor` : ''
  console.log(
    `${name.padEnd(52)} ${rate.toFixed(0).padStart(6)}/s  p50 ${p50.toFixed(1)} ms  p99 ${p99.toFixed(1)} ms${ratio}`,
  )
}
