import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createLogger } from '../plugins/logging'
import { ended, outputUntil, runSource } from '../testing/run-source'
import { databases, openPostgresql, testDatabase } from '../testing/test-databases'
import { openDatabase } from './client'
import { socketTickets } from './schema'

const log = createLogger({ level: 'silent' })
const onCrash = (error: Error): void => {
  throw error
}

function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'parley-db-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

const embedded = (dataDir: string) => openDatabase({ databaseUrl: undefined, dataDir, log, onCrash })

describe.each(databases)('%s', (kind) => {
  it('rolls a failed transaction back and goes on', async () => {
    const { db } = await testDatabase(kind)
    const row = { tokenHash: 'once', subject: 'anon:a', expiresAt: new Date(0) }
    await db.delete(socketTickets)
    const failed = db.transaction(async (tx) => {
      await tx.insert(socketTickets).values(row)
      await tx.insert(socketTickets).values(row)
    })
    await expect(failed).rejects.toMatchObject({ cause: { code: '23505' } })
    expect(await db.select().from(socketTickets)).toEqual([])
  })

  it('gives connections back whose transactions could not begin', async () => {
    const { db } = await testDatabase(kind)
    const refused = { isolationLevel: 'none at all' as 'serializable' }
    const begun = Array.from({ length: 25 }, () => db.transaction(async () => 'begun', refused))
    for (const outcome of await Promise.allSettled(begun)) expect(outcome.status).toBe('rejected')
    expect((await db.execute(sql`select 1 as one`)).rows).toEqual([{ one: 1 }])
  })

  it('keeps parallel transactions apart', async () => {
    const { db } = await testDatabase(kind)
    await db.execute(sql`create table if not exists counter (n int not null)`)
    await db.execute(sql`truncate counter`)
    await db.execute(sql`insert into counter values (0)`)
    await Promise.all(
      Array.from({ length: 20 }, () =>
        db.transaction(async (tx) => {
          const { rows } = await tx.execute<{ n: number }>(sql`select n from counter for update`)
          await tx.execute(sql`update counter set n = ${(rows[0]?.n ?? 0) + 1}`)
        }),
      ),
    )
    expect((await db.execute(sql`select n from counter`)).rows).toEqual([{ n: 20 }])
    await db.execute(sql`drop table counter`)
  })
})

describe('opening a database', () => {
  it('migrates the embedded one once and keeps its rows', async () => {
    const dataDir = aFolder()
    const first = await embedded(dataDir)
    await first.db.insert(socketTickets).values({ tokenHash: 'kept', subject: 'anon:a', expiresAt: new Date(0) })
    await first.close()
    const second = await embedded(dataDir)
    onTestFinished(() => second.close())
    expect(await second.db.select({ tokenHash: socketTickets.tokenHash }).from(socketTickets)).toEqual([{ tokenHash: 'kept' }])
    expect(await second.isUp()).toBe(true)
  })

  it('refuses a folder that another process uses, and leaves that one alone', async () => {
    const dataDir = aFolder()
    const first = await embedded(dataDir)
    onTestFinished(() => first.close())
    await expect(embedded(dataDir)).rejects.toThrow(`in use by process ${process.pid}`)
    expect(await first.isUp()).toBe(true)
  })

  it('answers a database that is gone with false instead of waiting', async () => {
    const one = await embedded(aFolder())
    await one.close()
    expect(await one.isUp()).toBe(false)
  })

  it.skipIf(!databases.includes('postgresql'))('migrates PostgreSQL once, also when nodes start together (needs TEST_DATABASE_URL)', async () => {
    const { database, url, remove } = await openPostgresql()
    const nodes = await Promise.all(Array.from({ length: 4 }, () => openDatabase({ databaseUrl: url, dataDir: tmpdir(), log, onCrash })))
    onTestFinished(async () => {
      await Promise.all([database, ...nodes].map((one) => one.close()))
      await remove()
    })
    const { rows } = await database.db.execute(sql`select count(*)::int as n from drizzle.__drizzle_migrations`)
    const migrations = readdirSync(new URL('./migrations', import.meta.url)).filter((file) => file.endsWith('.sql'))
    expect(rows).toEqual([{ n: migrations.length }])
  })

  it('loses no acknowledged row when the process is killed', async () => {
    const dataDir = aFolder()
    const acknowledged: string[] = []
    for (const run of ['first', 'second']) {
      const writer = runSource('testing/row-writer.ts', [dataDir, run])
      const said = await outputUntil(writer, new RegExp(`${run}-60\n`))
      writer.kill('SIGKILL')
      await ended(writer)
      // The last line may be cut: only whole ones were acknowledged.
      acknowledged.push(...said.split('\n').slice(0, -1))
    }
    const reopened = await embedded(dataDir)
    onTestFinished(() => reopened.close())
    const rows = await reopened.db.select({ tokenHash: socketTickets.tokenHash }).from(socketTickets)
    const kept = new Set(rows.map(({ tokenHash }) => tokenHash))
    expect(acknowledged.length).toBeGreaterThan(120)
    expect(acknowledged.filter((hash) => !kept.has(hash))).toEqual([])
  })
})
