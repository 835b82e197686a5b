import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { uuidv7 } from '@parley/contract/uuid'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createLogger } from '../plugins/logging'
import { createDatabase, postgresqlUrl } from '../testing/postgresql'
import { ended, runSource } from '../testing/run-source'
import { openDatabase } from './client'
import { checkMigrated, migrateDatabase, NotMigratedError } from './migrate'

const ownFolder = new URL('./migrations/', import.meta.url)
type Migration = { tag: string; when: number; sql: string }

const journal = JSON.parse(readFileSync(new URL('meta/_journal.json', ownFolder), 'utf8')) as {
  entries: { tag: string; when: number }[]
}
const own: Migration[] = journal.entries.map(({ tag, when }) => ({
  tag,
  when,
  sql: readFileSync(new URL(`${tag}.sql`, ownFolder), 'utf8'),
}))

/** A folder of migrations as drizzle-kit writes it. */
function aFolder(migrations: Migration[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'parley-migrations-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(join(folder, 'meta'))
  const entries = migrations.map(({ tag, when }, idx) => ({ idx, version: '7', when, tag, breakpoints: true }))
  writeFileSync(join(folder, 'meta/_journal.json'), JSON.stringify({ version: '7', dialect: 'postgresql', entries }))
  for (const { tag, sql } of migrations) writeFileSync(join(folder, `${tag}.sql`), sql)
  return folder
}

async function aDatabase() {
  const { name, url, drop } = await createDatabase()
  onTestFinished(drop)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  onTestFinished(() => client.end())
  return { name, url, connection: { connectionString: url }, client }
}

const lines: string[] = []
const log = createLogger({ level: 'info', destination: { write: (line) => lines.push(line) } })
const times = { turnMs: 5, lockTimeoutMs: 20, pauseMs: 5, tries: 10_000 }

describe.skipIf(!postgresqlUrl)('migrations (need TEST_DATABASE_URL)', () => {
  it('bring a database of an earlier version up to date with all that is in it, while a second node waits', async () => {
    const { connection, client } = await aDatabase()
    await migrateDatabase({ connection, log, folder: aFolder(own.slice(0, 3)) })
    const [userId, at] = [uuidv7(), new Date()]
    await client.query(`insert into users (id, kind, email, created_at) values ($1, 'email', 'kept@example.org', $2)`, [
      userId,
      at,
    ])
    await client.query(
      `insert into channels (id, user_id, channel_name, name_key, is_document, is_image, is_youtube, is_locked, created_at, updated_at)
        values ('one', $1, 'One', 'one', false, false, false, false, $2, $2)`,
      [userId, at],
    )
    await client.query(
      `insert into messages (channel_id, m_id, owner_id, position, question, answer, status, asked_at, updated_at, folded)
        select 'one', 'message-' || n, $1, n, 'Question ' || n, 'Answer ' || n, 'completed', '2026-01-01', $2, 'question ' || n from generate_series(1, 2000) n`,
      [userId, at],
    )
    await client.query('begin; select from messages limit 1')
    lines.length = 0
    const nodes = Array.from({ length: 3 }, () => migrateDatabase({ connection, log, times }))
    await expect.poll(() => lines.filter((line) => line.includes('waiting for another node')).length).toBe(2)
    await client.query('commit')
    await Promise.all(nodes)
    const { rows } = await client.query(
      `select count(*)::int as messages, count(search)::int as findable, max(previous::text) as previous from messages`,
    )
    expect(rows).toEqual([{ messages: 2_000, findable: 2_000, previous: null }])
    expect((await client.query('select count(*)::int as n from drizzle.__drizzle_migrations')).rows).toEqual([
      { n: own.length },
    ])
  })

  it('let agents that wallets signed before be found in the list of theirs: public ones by everybody, all by their owner', async () => {
    const { connection, client } = await aDatabase()
    const before = own.findIndex(({ tag }) => tag === '0014_sui_anchors')
    await migrateDatabase({ connection, log, folder: aFolder(own.slice(0, before)) })
    const [userId, at] = [uuidv7(), new Date()]
    await client.query(`insert into users (id, kind, email, created_at) values ($1, 'sui', '0x1@sui', $2)`, [
      userId,
      at,
    ])
    const kinds: [string, string, boolean, boolean][] = [
      ['open', 'sui', false, true],
      ['hidden', 'sui', true, true],
      ['asleep', 'sui', false, false],
      ['other', 'community', false, true],
    ]
    for (const [id, source, isPrivate, isEnabled] of kinds) {
      await client.query(
        `insert into agents (id, source, user_id, name, category, profile_image, texts, language_bits, is_private, is_enabled, created_at, updated_at)
          values ($1, $2, $3, $1, '', '', '[]', 1, $4, $5, $6, $6)`,
        [id, source, userId, isPrivate, isEnabled, at],
      )
      await client.query(
        `insert into agent_search (agent_id, words, likes, created_at) values ($1, array_to_tsvector(array['word']), 0, $2)`,
        [id, at],
      )
    }
    await migrateDatabase({ connection, log, folder: aFolder(own) })
    const { rows } = await client.query<{ id: string; words: string[] }>(
      'select agent_id as id, tsvector_to_array(words) as words from agent_search order by agent_id',
    )
    const ownOnly = [`@sui-${userId}`, 'word']
    expect(rows).toEqual([
      { id: 'asleep', words: ownOnly },
      { id: 'hidden', words: ownOnly },
      { id: 'open', words: ['@sui', ...ownOnly] },
      { id: 'other', words: ['word'] },
    ])
  })

  it('give channels settings without writing them anew, and nodes of before go on making channels without any', async () => {
    const { connection, client } = await aDatabase()
    const before = own.findIndex(({ tag }) => tag === '0023_chat_settings')
    await migrateDatabase({ connection, log, folder: aFolder(own.slice(0, before)) })
    const [userId, at] = [uuidv7(), new Date()]
    await client.query(`insert into users (id, kind, email, created_at) values ($1, 'email', 'old@example.org', $2)`, [
      userId,
      at,
    ])
    const make = (id: string) =>
      client.query(
        `insert into channels (id, user_id, channel_name, name_key, is_document, is_image, is_youtube, is_locked, created_at, updated_at)
          values ($1, $2, $1, $1, false, false, false, false, $3, $3)`,
        [id, userId, at],
      )
    const fileOf = async () => (await client.query(`select pg_relation_filenode('channels') as file`)).rows
    await make('before')
    const file = await fileOf()
    await migrateDatabase({ connection, log, folder: aFolder(own.slice(0, before + 1)) })
    await make('since')
    expect(await fileOf()).toEqual(file)
    expect((await client.query('select id, settings from channels order by id')).rows).toEqual([
      { id: 'before', settings: {} },
      { id: 'since', settings: {} },
    ])
  })

  it('hold up nobody for long who uses a table that they alter, and are done when it is free', async () => {
    const { url, connection, client } = await aDatabase()
    const first = { tag: '0000_first', when: 1, sql: 'create table trial (id int)' }
    await migrateDatabase({ connection, log, folder: aFolder([first]), times })
    const reader = new pg.Client({ connectionString: url })
    await reader.connect()
    onTestFinished(() => reader.end())
    await reader.query('begin; select from trial')
    lines.length = 0
    const migrated = migrateDatabase({
      connection,
      log,
      folder: aFolder([first, { tag: '0001_more', when: 2, sql: 'alter table trial add more int' }]),
      times,
    })
    await expect.poll(() => lines.join('')).toMatch(/a migration waits for tables that are in use/)
    // Whoever comes later is served while the first one still reads.
    for (let later = 0; later < 5; later++) await client.query('insert into trial values (1)')
    await reader.query('commit')
    await migrated
    expect((await client.query('select more from trial limit 1')).rows).toEqual([{ more: null }])
  })

  it('may take longer than the database allows a statement of a request', async () => {
    const { connection, client } = await aDatabase()
    await client.query(
      `do $$ begin execute format('alter database %I set statement_timeout = 1000', current_database()); end $$`,
    )
    await migrateDatabase({
      connection,
      log,
      folder: aFolder([{ tag: '0000_slow', when: 1, sql: 'select pg_sleep(1.2)' }]),
    })
  })

  it('keep what is done when a later one fails, and go on from there', async () => {
    const { connection, client } = await aDatabase()
    const good = {
      tag: '0000_good',
      when: 1,
      sql: 'create table trial (id int);--> statement-breakpoint\ninsert into trial values (1)',
    }
    const half = {
      tag: '0001_half',
      when: 2,
      sql: 'insert into trial values (2);--> statement-breakpoint\nselect 1 / 0',
    }
    await expect(migrateDatabase({ connection, log, folder: aFolder([good, half]) })).rejects.toThrow(
      'division by zero',
    )
    expect((await client.query('select id from trial')).rows).toEqual([{ id: 1 }])
    const concurrently = {
      tag: '0001_index',
      when: 2,
      sql: '-- no transaction\ncreate index concurrently if not exists trial_id on trial (id)',
    }
    await migrateDatabase({ connection, log, folder: aFolder([good, concurrently]) })
    await migrateDatabase({ connection, log, folder: aFolder([good, concurrently]) })
    expect((await client.query(`select indexname from pg_indexes where tablename = 'trial'`)).rows).toEqual([
      { indexname: 'trial_id' },
    ])
  })

  it('can be run apart: with MIGRATE=false the server says which are missing, and starts after them', async () => {
    const { url, connection } = await aDatabase()
    await migrateDatabase({ connection, log, folder: aFolder(own.slice(0, -1)) })
    await expect(checkMigrated(connection)).rejects.toThrow(NotMigratedError)
    const env = {
      DATABASE_URL: url,
      REDIS_URL: '',
      AUTH_SECRET: 'a secret of more than thirty-two characters',
      PORT: '0',
      MIGRATE: 'false',
    }
    const server = runSource('main.ts', [], env)
    let errors = ''
    server.stderr.on('data', (chunk) => {
      errors += String(chunk)
    })
    expect(await ended(server)).toBe(1)
    expect(errors.trim()).toBe('The database lacks 1 migrations of this version. Run them first: npm run db:migrate')
    expect(await ended(runSource('db/migrate-command.ts', [], env))).toBe(0)
    await checkMigrated(connection)
    const database = await openDatabase({
      databaseUrl: url,
      dataDir: tmpdir(),
      migrates: false,
      log,
      onCrash: () => undefined,
    })
    await database.close()
  })
})
