import { fileURLToPath } from 'node:url'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import type pg from 'pg'

// Beside this file in the source, beside the bundle after a build.
const migrationsFolder = fileURLToPath(new URL('./migrations', import.meta.url))

const lockKey = 7_275_539

/** Runs the migrations that are missing. Nodes that start together wait for each other: Drizzle itself takes no lock. */
export async function migrateDatabase(pool: pg.Pool): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [lockKey])
    await migrate(drizzle(client), { migrationsFolder })
    await client.query('select pg_advisory_unlock($1)', [lockKey])
    client.release()
  } catch (error) {
    // Closing the connection gives the lock back.
    client.release(true)
    throw error
  }
}
