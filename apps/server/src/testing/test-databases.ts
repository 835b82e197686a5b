import { cpSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { inject } from 'vitest'
import { type Database, type DatabaseKind, type Db, openDatabase } from '../db/client'
import { createLogger } from '../plugins/logging'
import { createDatabase, postgresqlUrl } from './postgresql'

/** The databases that the suites run on: `describe.each(databases)('… on %s', (database) => …)`. */
export const databases: DatabaseKind[] = postgresqlUrl ? ['pglite', 'postgresql'] : ['pglite']

const opened = new Map<DatabaseKind, Promise<{ database: Database }>>()

/** One database of a kind for all files that a worker runs, one after the other. It goes when the worker ends, and with the run at the latest. */
export async function testDatabase(kind: DatabaseKind): Promise<Database> {
  const known = opened.get(kind) ?? (kind === 'pglite' ? openPglite() : openPostgresql())
  opened.set(kind, known)
  return (await known).database
}

export async function emptyTables(db: Db): Promise<void> {
  const { rows } = await db.execute<{ tablename: string }>(sql`select tablename from pg_tables where schemaname = 'public'`)
  if (rows.length === 0) return
  await db.transaction(async (tx) => {
    // The tables of money refuse it.
    await tx.execute(sql`set local session_replication_role = replica`)
    await tx.execute(sql.raw(`truncate ${rows.map(({ tablename }) => `"${tablename}"`).join(', ')}`))
  })
}

const log = createLogger({ level: 'fatal' })
const onCrash = (error: Error): void => {
  throw error
}

async function openPglite() {
  const template = inject('embeddedTemplate')
  // Goes with the template.
  const dataDir = mkdtempSync(join(template, 'copy-'))
  cpSync(join(template, 'db'), join(dataDir, 'db'), { recursive: true })
  // Vitest ends a worker by this signal, which alone would leave the database's socket behind.
  process.once('SIGTERM', () => process.exit())
  return { database: await openDatabase({ databaseUrl: undefined, dataDir, log, onCrash }) }
}

/** A fresh database on the server of TEST_DATABASE_URL. */
export async function openPostgresql() {
  const { url, drop } = await createDatabase(inject('postgresqlTemplate'))
  const database = await openDatabase({ databaseUrl: url, dataDir: tmpdir(), log, onCrash })
  return { database, url, remove: drop }
}
