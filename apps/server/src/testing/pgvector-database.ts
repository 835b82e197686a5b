import { tmpdir } from 'node:os'
import { PGlite } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { vector } from '@electric-sql/pglite-pgvector'
import { PGLiteSocketServer } from '@electric-sql/pglite-socket'
import { type Database, openDatabase } from '../db/client'
import { createLogger } from '../plugins/logging'

/**
 * A database that has pgvector, made by the migrations themselves: the embedded engine with the extension, reached as a
 * server is, since few machines have a PostgreSQL with it.
 */
export async function openPgvector(): Promise<Database> {
  const engine = await PGlite.create({ extensions: { pg_trgm, vector } })
  const server = new PGLiteSocketServer({ db: engine, host: '127.0.0.1', port: 0, maxConnections: 5 })
  await server.start()
  const close = async (): Promise<void> => {
    await server.stop()
    await engine.close()
  }
  const database = await openDatabase({
    databaseUrl: `postgres://postgres@${server.getServerConn()}/postgres`,
    // All connections share the one session of the engine.
    databasePoolSize: 1,
    dataDir: tmpdir(),
    log: createLogger({ level: 'fatal' }),
    onCrash: (error) => {
      throw error
    },
  }).catch(async (error: unknown) => {
    await close()
    throw error
  })
  return {
    ...database,
    close: async () => {
      await database.close()
      await close()
    },
  }
}
