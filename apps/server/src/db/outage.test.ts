import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import { beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest'
import { createLogger } from '../plugins/logging'
import { inOrder, textOf, Visitor } from '../testing/chat-client'
import { words } from '../testing/gateway-scenarios'
import { startGatewayStandIn } from '../testing/gateway-stand-in'
import { createDatabase, postgresqlUrl } from '../testing/postgresql'
import { hasCluster, startCluster, type stopModes } from '../testing/postgresql-cluster'
import { ended, outputUntil, processTimeout, runSource } from '../testing/run-source'
import { startTcpProxy } from '../testing/tcp-proxy'
import { openPostgresql } from '../testing/test-databases'
import { openDatabase } from './client'
import { DatabasePool } from './pool'

const modes = ['smart', 'fast', 'immediate'] as const satisfies (keyof typeof stopModes)[]

/** A server process of its own on a database, and what it has printed. */
async function startNode(databaseUrl: string, env: Record<string, string> = {}) {
  const dataDir = mkdtempSync(join(tmpdir(), 'parley-outage-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  const child = runSource('main.ts', [], {
    DATABASE_URL: databaseUrl,
    REDIS_URL: '',
    AUTH_SECRET: 'a secret of more than thirty-two characters',
    RATE_LIMIT_SCALE: '0',
    PORT: '0',
    DATA_DIR: dataDir,
    ...env,
  })
  const said = await outputUntil(child, /Parley is ready: \S+[\s\S]*Models:/)
  const url = /ready: (http:\/\/localhost:\d+)\/app/.exec(said)?.[1] ?? ''
  return {
    child,
    url,
    /** Needs a row in the database. */
    ticket: () => fetch(`${url}/api/ws/ticket`, { method: 'POST' }),
    /** Needs a transaction. */
    search: () => fetch(`${url}/v1/assistants/community/free?search_terms=helper`),
    signUp: (email: string) =>
      fetch(`${url}/api/auth/signup`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email, password: 'Correct-Horse-7' }),
      }),
    async end() {
      child.kill('SIGTERM')
      return ended(child)
    },
  }
}

/** With all tables, so that the node need not make them. */
async function aDatabase(): Promise<string> {
  const { url, drop } = await createDatabase(inject('postgresqlTemplate'))
  onTestFinished(drop)
  return url
}

type Node = Awaited<ReturnType<typeof startNode>>

async function expectUnavailable(response: Response): Promise<void> {
  expect(await response.json()).toMatchObject({
    success: false,
    code: 'unavailable',
    status: 503,
    message: 'The service is not available right now. Please try again in a moment.',
  })
  expect(response.headers.get('retry-after')).toBe('5')
}

async function expectServing(node: Node): Promise<void> {
  await expect.poll(async () => (await node.ticket()).status).toBe(200)
  await expect.poll(async () => (await fetch(`${node.url}/api/health/ready`)).status).toBe(200)
}

async function connectTo(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  onTestFinished(() => client.end().catch(() => undefined))
  return client
}

/** Ends every connection of the server to this database, and waits until they are gone. */
async function terminateAll(admin: pg.Client): Promise<void> {
  const others = `from pg_stat_activity where datname = current_database() and application_name like 'parley%'`
  await admin.query(`select pg_terminate_backend(pid, 10000) ${others}`)
}

describe.skipIf(!postgresqlUrl)(
  'a server whose connections to PostgreSQL are terminated (needs TEST_DATABASE_URL)',
  { timeout: processTimeout },
  () => {
    it('refuses what was under way with 503, goes on, and ends in order', async () => {
      const url = await aDatabase()
      const node = await startNode(url)
      const admin = await connectTo(url)
      await admin.query('begin; lock table socket_tickets, agent_search in access exclusive mode')
      // Outside and inside of a transaction, each in the middle of a statement.
      const waiting = Promise.all([node.ticket(), node.ticket(), node.search(), node.search()])
      waiting.catch(() => undefined)
      const running = `select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      const watch = await connectTo(url)
      await expect.poll(async () => (await watch.query<{ n: number }>(running)).rows[0]?.n).toBe(4)
      await terminateAll(watch)
      for (const response of await waiting) await expectUnavailable(response)
      await admin.query('rollback')
      await expectServing(node)
      expect((await node.search()).status).toBe(200)
      // Now they are idle.
      await terminateAll(watch)
      await expectServing(node)
      expect(await node.end()).toBe(0)
    })

    it('goes on with an answer that is being written, and stores its end', async () => {
      const gateway = await startGatewayStandIn()
      onTestFinished(() => gateway.close())
      const url = await aDatabase()
      const node = await startNode(url, { LLM_BASE_URL: gateway.url, LLM_API_KEY: 'sk-canary-key' })
      const admin = await connectTo(url)
      gateway.next({ text: words(400), tokensPerSecond: 200 })
      const client = await new Visitor().connect(node)
      const id = client.ask('Through thunder.')
      for (const word of ['word20', 'word100', 'word200', 'word300']) {
        await client.untilText(word)
        await terminateAll(admin)
      }
      await client.untilEvent('end', id)
      expect(textOf(inOrder(client.frames, id))).toBe(words(400))
      await expect
        .poll(async () => (await admin.query<{ status: string }>('select status from generations')).rows)
        .toEqual([{ status: 'completed' }])
      expect(await node.end()).toBe(0)
    })
  },
)

describe.skipIf(!postgresqlUrl)('a connection that breaks (needs TEST_DATABASE_URL)', () => {
  let url = ''
  let admin: pg.Client
  beforeAll(async () => {
    const made = await openPostgresql()
    await made.database.close()
    url = made.url
    admin = new pg.Client({ connectionString: url })
    await admin.connect()
    await admin.query(`create table trial (id int primary key);
      create function slowly() returns trigger language plpgsql as 'begin perform pg_sleep(600); return null; end';
      create constraint trigger slow_commit after insert on trial deferrable initially deferred for each row when (new.id < 0) execute function slowly()`)
    return async () => {
      await admin.end()
      await made.remove()
    }
  })

  async function open() {
    const database = await openDatabase({
      databaseUrl: url,
      dataDir: tmpdir(),
      log: createLogger({ level: 'silent' }),
      onCrash: (error) => {
        throw error
      },
    })
    onTestFinished(() => database.close())
    return database.db
  }
  const terminate = (pid: number): Promise<unknown> => admin.query('select pg_terminate_backend($1, 10000)', [pid])
  const pidOf = sql<{ pid: number }>`select pg_backend_pid() as pid`
  const away = { cause: expect.anything() }

  it('costs the transaction that has it between two statements, and the next one works', async () => {
    const db = await open()
    const broken = db.transaction(async (tx) => {
      const { rows } = await tx.execute<{ pid: number }>(pidOf)
      await terminate(rows[0]?.pid ?? 0)
      // The end of the connection has been read when this one fails.
      await tx.execute(sql`select 1`).catch(() => undefined)
      await tx.execute(sql`insert into trial values (1)`)
    })
    await expect(broken).rejects.toMatchObject(away)
    expect((await db.execute(sql`select id from trial where id = 1`)).rows).toEqual([])
  })

  it('costs the transaction that is at its commit', async () => {
    const db = await open()
    let pid = 0
    const broken = db.transaction(async (tx) => {
      pid = (await tx.execute<{ pid: number }>(pidOf)).rows[0]?.pid ?? 0
      await tx.execute(sql`insert into trial values (-1)`)
    })
    broken.catch(() => undefined)
    const state = (): Promise<pg.QueryResult<{ query: string }>> =>
      admin.query(`select query from pg_stat_activity where pid = ${pid}`)
    await expect.poll(async () => (await state()).rows[0]?.query).toBe('commit')
    await terminate(pid)
    await expect(broken).rejects.toMatchObject(away)
    expect((await db.execute(sql`select id from trial where id = -1`)).rows).toEqual([])
  })

  it('costs nothing but the transactions that begin on it', async () => {
    const db = await open()
    for (let round = 0; round < 10; round++) {
      const { rows } = await db.execute<{ pid: number }>(pidOf)
      await terminate(rows[0]?.pid ?? 0)
      // Whether the end has been read by now or not.
      await db.transaction((tx) => tx.execute(pidOf)).catch(() => undefined)
    }
    expect((await db.transaction((tx) => tx.execute(sql`select 1 as one`))).rows).toEqual([{ one: 1 }])
  })

  it('is not kept when a statement of it gets no answer', async () => {
    const { hostname, port } = new URL(url)
    const wire = await startTcpProxy({ host: hostname, port: Number(port || 5432) })
    const through = new URL(url)
    through.host = `127.0.0.1:${wire.port}`
    const pool = new DatabasePool(
      { connectionString: through.href, query_timeout: 200 },
      createLogger({ level: 'silent' }),
    )
    onTestFinished(() => pool.end())
    const db = drizzle(pool)
    const stalled = db.transaction(async (tx) => {
      await tx.execute(sql`insert into trial values (2)`)
      wire.stall()
      await tx.execute(sql`insert into trial values (3)`)
    })
    await expect(stalled).rejects.toMatchObject(away)
    wire.mend()
    expect(pool.totalCount).toBe(0)
    expect((await db.execute(sql`select id from trial where id in (2, 3)`)).rows).toEqual([])
  })
})

describe.skipIf(!hasCluster)(
  'a server whose PostgreSQL is stopped (needs the programs of PostgreSQL)',
  { timeout: processTimeout },
  () => {
    it('refuses with 503 while it is away, and serves again when it is back, whichever way it was stopped', async () => {
      const cluster = await startCluster()
      const node = await startNode(cluster.url)
      for (const mode of modes) {
        const idle = await connectTo(cluster.url)
        const stopped = cluster.stop(mode)
        if (mode === 'smart') {
          // It waits for its clients and takes no new ones: whoever has a connection is served by it.
          const late = connectTo(cluster.url)
          await expect(late).rejects.toThrow('shutting down')
          expect([200, 503]).toContain((await node.ticket()).status)
          await cluster.stop('fast')
        }
        await stopped
        await expectUnavailable(await node.ticket())
        await expectUnavailable(await node.signUp(`${mode}@example.org`))
        expect((await fetch(`${node.url}/api/health/ready`)).status).toBe(503)
        expect((await fetch(`${node.url}/api/health/live`)).status).toBe(200)
        await idle.end().catch(() => undefined)
        await cluster.start()
        await expectServing(node)
        expect((await node.signUp(`${mode}@example.org`)).status).toBe(201)
      }
      expect(await node.end()).toBe(0)
    })

    it('follows the address to another server, and leaves one that has become read-only', async () => {
      const cluster = await startCluster()
      const wire = await startTcpProxy({ host: '127.0.0.1', port: cluster.port })
      const node = await startNode(`postgres://postgres@127.0.0.1:${wire.port}/postgres`)
      expect((await node.signUp('before@example.org')).status).toBe(201)
      await cluster.stop('fast')
      const successor = await cluster.copy()
      await successor.start()
      await cluster.start()
      // The old one comes back and is used again before anybody notices; then it is demoted.
      await expectServing(node)
      await (await connectTo(cluster.url)).query('alter system set default_transaction_read_only = on')
      await (await connectTo(cluster.url)).query('select pg_reload_conf()')
      wire.reroute({ host: '127.0.0.1', port: successor.port })
      await expectServing(node)
      // Connections of before that have not been used since may cost a request each.
      await expect.poll(async () => (await node.signUp('after@example.org')).status).toBe(201)
      const there = await connectTo(successor.url)
      expect((await there.query('select email from users order by created_at')).rows).toEqual([
        { email: 'before@example.org' },
        { email: 'after@example.org' },
      ])
      expect(await node.end()).toBe(0)
    })
  },
)
