import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { sql } from 'drizzle-orm'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createLogger } from '../plugins/logging'
import { createDatabase } from '../testing/postgresql'
import { databases, testDatabase } from '../testing/test-databases'
import { openDatabase } from './client'
import { socketTickets } from './schema/tickets'

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

const log = createLogger({ level: 'silent' })
const onCrash = (error: Error): void => {
  throw error
}

it.skipIf(!databases.includes('postgresql'))(
  'has no more connections than it may, whatever is asked at once (needs TEST_DATABASE_URL)',
  async () => {
    const { url, drop } = await createDatabase()
    const { db, close } = await openDatabase({ databaseUrl: url, databasePoolSize: 2, dataDir: tmpdir(), log, onCrash })
    onTestFinished(async () => {
      await close()
      await drop()
    })
    const backends = await Promise.all(
      Array.from({ length: 20 }, () => db.transaction((tx) => tx.execute(sql`select pg_backend_pid() as pid`))),
    )
    expect(new Set(backends.map(({ rows }) => rows[0]?.pid)).size).toBe(2)
  },
)

it.skipIf(!databases.includes('postgresql'))(
  'migrates PostgreSQL once, also when nodes start together (needs TEST_DATABASE_URL)',
  async () => {
    const { url, drop } = await createDatabase()
    const nodes = await Promise.all(
      Array.from({ length: 4 }, () => openDatabase({ databaseUrl: url, dataDir: tmpdir(), log, onCrash })),
    )
    onTestFinished(async () => {
      await Promise.all(nodes.map((one) => one.close()))
      await drop()
    })
    const { rows = [] } =
      (await nodes[0]?.db.execute(sql`select count(*)::int as n from drizzle.__drizzle_migrations`)) ?? {}
    const migrations = readdirSync(new URL('./migrations', import.meta.url)).filter((file) => file.endsWith('.sql'))
    expect(rows).toEqual([{ n: migrations.length }])
  },
)
