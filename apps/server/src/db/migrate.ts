import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type MigrationMeta, readMigrationFiles } from 'drizzle-orm/migrator'
import type { FastifyBaseLogger } from 'fastify'
import pg from 'pg'

// Beside this file in the source, beside the bundle after a build.
const ownFolder = fileURLToPath(new URL('./migrations', import.meta.url))

const lockKey = 7_275_539
const defaultTimes = { turnMs: 500, lockTimeoutMs: 3_000, pauseMs: 5_000, tries: 60 }

/**
 * The first line of a migration whose statements cannot run in a transaction: `create index concurrently`. Each of them
 * must bear being run twice.
 */
const outsideTransaction = /^--\s*no transaction\s*\n/

type Options = { connection: pg.ClientConfig; log: FastifyBaseLogger; folder?: string; times?: typeof defaultTimes }

/** The database lacks migrations that this version needs. */
export class NotMigratedError extends Error {
  override name = 'NotMigratedError'
}

/**
 * Runs the migrations that are missing, on a connection of its own without the time limits of requests: a large table
 * may take long. Each is one transaction, so that what is done stays done. Nodes that start together wait for each
 * other.
 */
export async function migrateDatabase({
  connection,
  log,
  folder = ownFolder,
  times = defaultTimes,
}: Options): Promise<void> {
  const client = await connect(connection)
  try {
    await client.query('set statement_timeout = 0')
    await takeTurn(client, log, times.turnMs)
    await makeTable(client)
    for (const migration of await missing(client, folder)) await runPatiently(client, { migration, log, times })
    // The embedded database has one session for all connections, which keeps both.
    await client.query('reset lock_timeout')
    await client.query('select pg_advisory_unlock($1)', [lockKey])
  } finally {
    // Which gives the lock back.
    await client.end()
  }
}

/**
 * Throws NotMigratedError where the database is behind this version. One that is ahead serves: its migrations leave
 * this version what it needs.
 */
export async function checkMigrated(connection: pg.ClientConfig): Promise<void> {
  const client = await connect(connection)
  try {
    const { rows } = await client.query<{ name: string | null }>(
      "select to_regclass('drizzle.__drizzle_migrations') as name",
    )
    const behind = rows[0]?.name
      ? await missing(client, ownFolder)
      : readMigrationFiles({ migrationsFolder: ownFolder })
    if (behind.length > 0)
      throw new NotMigratedError(
        `The database lacks ${behind.length} migrations of this version. Run them first: npm run db:migrate`,
      )
  } finally {
    await client.end()
  }
}

async function connect(connection: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client({
    ...connection,
    application_name: 'parley migrations',
    keepAlive: true,
    connectionTimeoutMillis: 10_000,
  })
  // The statement that fails tells of the loss; without a listener it would end the process.
  client.on('error', () => undefined)
  await client.connect()
  return client
}

/**
 * Asks again and again: an index that is made concurrently waits for whatever statement is under way, and one that
 * waits for the lock would wait for it.
 */
async function takeTurn(client: pg.Client, log: FastifyBaseLogger, turnMs: number): Promise<void> {
  const isTaken = async () =>
    (await client.query<{ mine: boolean }>('select pg_try_advisory_lock($1) as mine', [lockKey])).rows[0]?.mine ?? false
  if (await isTaken()) return
  log.info('waiting for another node that migrates the database')
  do await delay(turnMs)
  while (!(await isTaken()))
}

/** Where Drizzle's own tools look for it. */
async function makeTable(client: pg.Client): Promise<void> {
  await client.query('create schema if not exists drizzle')
  await client.query(
    'create table if not exists drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)',
  )
}

async function missing(client: pg.Client, folder: string): Promise<MigrationMeta[]> {
  const { rows } = await client.query<{ last: string | null }>(
    'select max(created_at) as last from drizzle.__drizzle_migrations',
  )
  const last = Number(rows[0]?.last ?? 0)
  return readMigrationFiles({ migrationsFolder: folder }).filter(({ folderMillis }) => folderMillis > last)
}

/**
 * A table that somebody reads for long cannot be altered meanwhile, and whoever asks for it after that would wait
 * behind the alteration: so it gives up soon, lets them pass and tries again.
 */
async function runPatiently(
  client: pg.Client,
  { migration, log, times }: { migration: MigrationMeta; log: FastifyBaseLogger; times: typeof defaultTimes },
) {
  for (let tried = 1; ; tried++) {
    try {
      return await run(client, migration, times.lockTimeoutMs)
    } catch (error) {
      const isLocked = error instanceof pg.DatabaseError && error.code === '55P03'
      if (!isLocked || tried === times.tries) throw error
      log.warn({ tried }, 'a migration waits for tables that are in use')
    }
    await delay(times.pauseMs)
  }
}

async function run(
  client: pg.Client,
  { sql, hash, folderMillis }: MigrationMeta,
  lockTimeoutMs: number,
): Promise<void> {
  const note = () =>
    client.query('insert into drizzle.__drizzle_migrations (hash, created_at) values ($1, $2)', [hash, folderMillis])
  if (outsideTransaction.test(sql[0] ?? '')) {
    // An index that is made concurrently waits for everybody without holding up anybody.
    await client.query('set lock_timeout = 0')
    for (const statement of sql) await client.query(statement)
    await note()
    return
  }
  await client.query(`set lock_timeout = ${lockTimeoutMs}`)
  await client.query('begin')
  try {
    for (const statement of sql) await client.query(statement)
    await note()
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw error
  }
}
