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
 * In a function, which a connection plans once: as statements they take longer to plan than to run.
 */
export async function emptyTables(db: Db): Promise<void> {
  const known = withEmptying.get(db) ?? prepareEmptying(db)
  withEmptying.set(db, known)
  await known
  await db.execute(sql`select testing.empty_tables()`)
}

const withEmptying = new WeakMap<Db, Promise<void>>()

async function prepareEmptying(db: Db): Promise<void> {
  const { rows } = await db.execute<{ tablename: string }>(
    sql`select tablename from pg_tables where schemaname = 'public'`,
  )
  const deletes = rows.map(({ tablename }) => `delete from public."${tablename}";`)
  await db.execute(sql`create schema if not exists testing`)
  await db.execute(
    // Without triggers, as the tables of money refuse to be emptied, and in any order.
    sql.raw(`create or replace function testing.empty_tables() returns void language plpgsql
      set session_replication_role = replica as $$ begin ${deletes.join('\n')} end $$`),
  )
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
