import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { inject } from 'vitest'
import { type Database, type DatabaseKind, type Db, openDatabase } from '../db/client'
import { createLogger } from '../plugins/logging'
import { copyEmbeddedTemplate } from './embedded-template'
import { createDatabase, postgresqlUrl } from './postgresql'

/**
 * The one kind that a run has: PostgreSQL where TEST_DATABASE_URL is set. The project `embedded` runs some files on
 * PGlite as well.
 */
export const databaseKind: DatabaseKind = postgresqlUrl ? 'postgresql' : 'pglite'

/** For titles and `skipIf`: `describe.each(databases)('… on %s', (kind) => …)`. */
export const databases: DatabaseKind[] = [databaseKind]

const opened = new Map<DatabaseKind, Promise<{ database: Database }>>()

/**
 * One database of a kind for all files that a worker runs, one after the other. It goes when the worker ends, and with
 * the run at the latest.
 */
export async function testDatabase(kind: DatabaseKind): Promise<Database> {
  const known = opened.get(kind) ?? (kind === 'pglite' ? openPglite() : openPostgresql())
  opened.set(kind, known)
  return (await known).database
}

/**
 * By `delete`: `truncate` makes new files for each table and index, which for a few rows costs a hundred times as much.
 */
export async function emptyTables(db: Db): Promise<void> {
  const { rows } = await db.execute<{ tablename: string }>(
    sql`select tablename from pg_tables where schemaname = 'public'`,
  )
  if (rows.length === 0) return
  const deletes = rows.map(({ tablename }) => `delete from "${tablename}"`)
  await db.transaction(async (tx) => {
    // Without triggers, as the tables of money refuse to be emptied, and in any order.
    await tx.execute(sql`set local session_replication_role = replica`)
    await tx.execute(sql.raw(deletes.join('; ')))
  })
}

const log = createLogger({ level: 'fatal' })
const onCrash = (error: Error): void => {
  throw error
}

async function openPglite() {
  const dataDir = mkdtempSync(join(inject('runFolder'), 'embedded-'))
  await copyEmbeddedTemplate(dataDir)
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
