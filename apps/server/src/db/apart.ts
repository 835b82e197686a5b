import { drizzle } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import type { Db } from './client'

/**
 * Work that may take long, on a connection of its own without the time limits of requests. It is closed at the end,
 * whatever happened: what is left of a statement or a transaction goes with it and never comes back into the pool.
 */
export async function apart<T>(db: Db, work: (db: Db) => Promise<T>): Promise<T> {
  const { $client: pool } = db as Db & { $client: pg.Pool }
  const client = new pg.Client({
    ...pool.options,
    application_name: 'parley apart',
    query_timeout: 0,
    statement_timeout: 0,
  })
  // The statement that fails tells of the loss; without a listener it would end the process.
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.query('set statement_timeout = 0')
    return await work(drizzle(client))
  } finally {
    await client.end().catch(() => undefined)
  }
}
