import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import pg from 'pg'
import { inject, onTestFinished } from 'vitest'
import { type Database, type DatabaseKind, openDatabase } from '../db/client'
import { startEmbedded } from '../db/embedded'
import { migrateDatabase } from '../db/migrate'
import { createLogger } from '../plugins/logging'
import { migrationsUpTo } from './earlier-migrations'
import { createDatabase } from './postgresql'

type Answers = { ana: Record<string, unknown>; bruno: Record<string, unknown> }
type Fixture = {
  /** The rows of each table, in an order in which they can be inserted. */
  tables: Record<string, Record<string, unknown>[]>
  /** What the version before answered of them. */
  before: Answers
  /** What its node then sent to the database, in this order, and answered afterwards. */
  writes: { text: string; values: unknown[] }[]
  after: Answers
}

/** Made by make-conversations.test.ts with the code of the version before runs. */
export const conversationsBeforeRuns = JSON.parse(
  gunzipSync(readFileSync(new URL('fixtures/conversations-0016.json.gz', import.meta.url))).toString(),
) as Fixture

const log = createLogger({ level: 'fatal' })
const onCrash = (error: Error): void => {
  throw error
}

type Migrated = {
  database: Database
  url: string | undefined
  /** The file of the messages before the migration: another one after it would mean that all were written anew. */
  messagesFile: string
}

let filledEmbedded: Promise<{ folder: string; messagesFile: string }> | undefined

/**
 * The embedded database as the version before runs has filled it, once for all tests of a worker, which copy it: to
 * make it takes as long as a test.
 */
export function fillEmbedded(): Promise<{ folder: string; messagesFile: string }> {
  filledEmbedded ??= (async () => {
    const folder = mkdtempSync(join(inject('runFolder'), 'before-'))
    const embedded = await startEmbedded({ dataDir: folder, onCrash })
    const messagesFile = await fill(embedded.connection)
    await embedded.close()
    return { folder, messagesFile }
  })()
  return filledEmbedded
}

/** A database that the version before runs has filled, brought up to date; nothing is backfilled. */
export async function migratedDatabase(kind: DatabaseKind): Promise<Migrated> {
  const dataDir = mkdtempSync(join(tmpdir(), 'parley-before-'))
  const onServer = kind === 'postgresql' ? await createDatabase() : undefined
  const embedded = onServer ? undefined : await fillEmbedded()
  if (embedded) cpSync(join(embedded.folder, 'db'), join(dataDir, 'db'), { recursive: true })
  const messagesFile = embedded?.messagesFile ?? (await fill({ connectionString: onServer?.url }))
  const database = await openDatabase({ databaseUrl: onServer?.url, dataDir, log, onCrash })
  onTestFinished(async () => {
    await database.close()
    await onServer?.drop()
    rmSync(dataDir, { recursive: true, force: true })
  })
  return { database, url: onServer?.url, messagesFile }
}

async function fill(connection: pg.ClientConfig): Promise<string> {
  await migrateDatabase({ connection, log, folder: migrationsUpTo('0016_jobs') })
  const client = new pg.Client(connection)
  await client.connect()
  for (const [table, rows] of Object.entries(conversationsBeforeRuns.tables)) {
    const columns = Object.keys(rows[0] ?? {}).join(', ')
    const values = `select ${columns} from json_populate_recordset(null::${table}, $1)`
    await client.query(`insert into ${table} (${columns}) ${values}`, [JSON.stringify(rows)])
  }
  const { rows } = await client.query<{ file: string }>("select pg_relation_filepath('messages') as file")
  await client.end()
  return rows[0]?.file ?? ''
}
