import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import type { FastifyBaseLogger } from 'fastify'
import type pg from 'pg'
import { startEmbedded } from './embedded'
import { checkMigrated, migrateDatabase } from './migrate'
import { DatabasePool } from './pool'
import { DatabaseProbe } from './probe'

/** PostgreSQL and PGlite through the same driver: one code path. */
export type Db = NodePgDatabase

export type DatabaseKind = 'postgresql' | 'pglite'

export type Database = {
  db: Db
  kind: DatabaseKind
  /** True while it answers within two seconds, on a connection that nothing else uses. */
  isUp(): Promise<boolean>
  close(): Promise<void>
}

type Options = {
  databaseUrl: string | undefined
  /** Connections to PostgreSQL that this process has at most, beside the one that asks whether it is up. */
  databasePoolSize?: number
  /** The embedded database lives in its folder `db`. */
  dataDir: string
  /** False: whoever started this has migrated it before. */
  migrates?: boolean
  log: FastifyBaseLogger
  /** The embedded database is gone: the process cannot go on. */
  onCrash: (error: Error) => void
}

/**
 * Opens PostgreSQL where an address is given, else the embedded database, and brings its tables up to date or makes
 * sure that they are.
 */
export async function openDatabase(options: Options): Promise<Database> {
  const embedded = options.databaseUrl === undefined ? await startEmbedded(options) : undefined
  const address: pg.ClientConfig = embedded?.connection ?? { connectionString: options.databaseUrl }
  const bounds: pg.PoolConfig = embedded
    ? { max: embedded.maxConnections }
    : { max: options.databasePoolSize ?? 20, statement_timeout: 30_000 }
  const pool = new DatabasePool(
    { ...address, ...bounds, idleTimeoutMillis: 30_000, query_timeout: 35_000 },
    options.log,
  )
  const probe = new DatabaseProbe(address)
  const close = async (): Promise<void> => {
    await Promise.all([pool.end(), probe.end()])
    await embedded?.close()
  }
  try {
    if (options.migrates ?? true) await migrateDatabase({ connection: address, log: options.log })
    else await checkMigrated(address)
  } catch (error) {
    await close()
    throw error
  }
  return { db: drizzle(pool), kind: embedded ? 'pglite' : 'postgresql', isUp: () => probe.isUp(), close }
}
