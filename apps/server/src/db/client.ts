import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import type { FastifyBaseLogger } from 'fastify'
import pg from 'pg'
import { startEmbedded } from './embedded'
import { migrateDatabase } from './migrate'
import * as schema from './schema'

/** PostgreSQL and PGlite through the same driver: one code path. */
export type Db = NodePgDatabase<typeof schema>

export type DatabaseKind = 'postgresql' | 'pglite'

export type Database = {
  db: Db
  kind: DatabaseKind
  /** True while it answers within two seconds. */
  isUp(): Promise<boolean>
  close(): Promise<void>
}

type Options = {
  databaseUrl: string | undefined
  /** The embedded database lives in its folder `db`. */
  dataDir: string
  log: FastifyBaseLogger
  /** The embedded database is gone: the process cannot go on. */
  onCrash: (error: Error) => void
}

/** Opens PostgreSQL where an address is given, else the embedded database, and brings its tables up to date. */
export async function openDatabase(options: Options): Promise<Database> {
  const embedded = options.databaseUrl === undefined ? await startEmbedded(options) : undefined
  const pool = new pg.Pool({
    ...(embedded ? embedded.connection : { connectionString: options.databaseUrl, max: 20, statement_timeout: 30_000 }),
    application_name: 'parley',
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 30_000,
    query_timeout: 35_000,
  })
  // Without a listener a connection that breaks while idle ends the process.
  pool.on('error', (error) => options.log.warn({ err: error }, 'database connection lost'))
  pool.on('connect', closeWhenNotBegun)

  const close = async (): Promise<void> => {
    await pool.end()
    await embedded?.close()
  }
  try {
    await migrateDatabase(pool)
  } catch (error) {
    await close()
    throw error
  }
  return { db: drizzle(pool, { schema }), kind: embedded ? 'pglite' : 'postgresql', isUp: () => isUp(pool), close }
}

/** Drizzle (0.45) never gives back a connection whose `begin` fails, so that an outage would use up the pool for good: it is closed instead. */
function closeWhenNotBegun(client: pg.PoolClient): void {
  const query = client.query.bind(client)
  const watched = (...args: [pg.QueryConfig | string, ...unknown[]]): unknown => {
    const result: unknown = Reflect.apply(query, client, args)
    const [statement] = args
    const text = typeof statement === 'string' ? statement : statement.text
    if (result instanceof Promise && text.startsWith('begin')) result.catch(() => client.release(true))
    return result
  }
  client.query = watched as typeof client.query
}

async function isUp(pool: pg.Pool): Promise<boolean> {
  const timeout = new AbortController()
  const late = new Promise<boolean>((resolve) => {
    const timer = setTimeout(resolve, 2_000, false)
    timeout.signal.addEventListener('abort', () => clearTimeout(timer))
  })
  const answered = pool.query('select 1').then(
    () => true,
    () => false,
  )
  return Promise.race([answered, late]).finally(() => timeout.abort())
}
