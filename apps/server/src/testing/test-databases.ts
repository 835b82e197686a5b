import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll } from 'vitest'
import { type Database, type DatabaseKind, type Db, openDatabase } from '../db/client'
import { createLogger } from '../plugins/logging'
import { createDatabase, postgresqlUrl } from './postgresql'

/** The databases that the suites run on: `describe.each(databases)('… on %s', (database) => …)`. */
export const databases: DatabaseKind[] = postgresqlUrl ? ['pglite', 'postgresql'] : ['pglite']

const opened = new Map<DatabaseKind, Promise<{ database: Database; remove: () => Promise<void> }>>()

/** One database of a kind for the whole test file: starting the embedded one takes two seconds. */
export async function testDatabase(kind: DatabaseKind): Promise<Database> {
  const known = opened.get(kind) ?? (kind === 'pglite' ? openPglite() : openPostgresql())
  opened.set(kind, known)
  return (await known).database
}

export async function emptyTables(db: Db): Promise<void> {
  const { rows } = await db.execute<{ tablename: string }>(sql`select tablename from pg_tables where schemaname = 'public'`)
  if (rows.length > 0) await db.execute(sql.raw(`truncate ${rows.map(({ tablename }) => `"${tablename}"`).join(', ')}`))
}

afterAll(async () => {
  // One that could not be opened must not keep the others from being removed.
  for (const one of await Promise.allSettled(opened.values())) {
    if (one.status === 'rejected') continue
    await one.value.database.close()
    await one.value.remove()
  }
  opened.clear()
})

const log = createLogger({ level: 'fatal' })
const onCrash = (error: Error): void => {
  throw error
}

async function openPglite() {
  const dataDir = mkdtempSync(join(tmpdir(), 'parley-test-'))
  const database = await openDatabase({ databaseUrl: undefined, dataDir, log, onCrash })
  return { database, remove: async () => rmSync(dataDir, { recursive: true, force: true }) }
}

/** A fresh database on the server of TEST_DATABASE_URL. */
export async function openPostgresql() {
  const { url, drop } = await createDatabase()
  const database = await openDatabase({ databaseUrl: url, dataDir: tmpdir(), log, onCrash })
  return { database, url, remove: drop }
}
