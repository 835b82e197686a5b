import { randomUUID } from 'node:crypto'
import type { ServerFrame } from '@parley/contract/chat'
import { serverLimits } from '@parley/contract/limits/server'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openDatabase } from '../../db/client'
import { generations } from '../../db/schema/chat'
import { createLogger } from '../../plugins/logging'
import { buildTestApp, databases } from '../../testing/build-test-app'
import { inOrder, textOf, Visitor } from '../../testing/chat-client'
import { buildChatApp, redisUrl } from '../../testing/chat-setups'
import { words } from '../../testing/gateway-scenarios'
import { startGatewayStandIn } from '../../testing/gateway-stand-in'
import { outputUntil, runSource } from '../../testing/run-source'
import { startTcpProxy } from '../../testing/tcp-proxy'
import { openPostgresql } from '../../testing/test-databases'

const hasBoth = redisUrl !== undefined && databases.includes('postgresql')
/** New in each run: Redis keeps the day's counters of an address under names derived from it. */
const secret = `a secret that both nodes share ${randomUUID()}`

/** Two nodes on one PostgreSQL and one Redis. */
async function twoNodes() {
  const env = { AUTH_SECRET: secret }
  const first = await buildChatApp({ kind: 'postgresql', bus: 'redis' }, { env })
  const second = await buildTestApp({
    kind: 'postgresql',
    keepTables: true,
    env: { ...env, REDIS_URL: redisUrl ?? '', LLM_BASE_URL: first.gateway.url, LLM_API_KEY: 'sk-canary-key' },
  })
  return { first, second, gateway: first.gateway }
}

describe.skipIf(!hasBoth)(
  'two nodes on one PostgreSQL and one Redis (needs TEST_DATABASE_URL and TEST_REDIS_URL)',
  () => {
    it('show an answer that the other one writes, from the middle on and from the start', async () => {
      const { first, second, gateway } = await twoNodes()
      gateway.next({ text: words(300), tokensPerSecond: 200 })
      const visitor = new Visitor()
      const asking = await visitor.connect(first)
      const id = asking.ask('Write here, read there.')
      await asking.untilText('word50')
      asking.cut()
      const seen = [...asking.frames]
      const last = seen.at(-1)
      const reading = await visitor.connect(second)
      reading.send({ event: 'resume', messageId: id, afterSeq: last && 'seq' in last ? (last.seq ?? 0) : 0 })
      await reading.untilEvent('end', id)
      expect(textOf(inOrder([...seen, ...reading.frames], id))).toBe(words(300))
      const later = await visitor.connect(second)
      later.send({ event: 'resume', messageId: id, afterSeq: 0 })
      await later.untilEvent('end', id)
      expect(textOf(inOrder(later.frames, id))).toBe(words(300))
    })

    it('run a question once that is sent to both at the same time', async () => {
      const { first, second, gateway } = await twoNodes()
      gateway.always({ text: words(50), delayMs: 30 })
      const visitor = new Visitor()
      const clients = [
        await visitor.connect(first),
        await visitor.connect(second),
        await visitor.connect(first),
        await visitor.connect(second),
      ]
      const messageId = clients[0]?.ask('Once.')
      for (const client of clients.slice(1)) if (messageId) client.ask('Once.', { messageId })
      await Promise.all(clients.map((client) => client.untilEvent('end', messageId)))
      for (const { frames } of clients) expect(textOf(inOrder(frames, messageId ?? ''))).toBe(words(50))
      expect(gateway.requests).toHaveLength(1)
    })

    it('stop an answer that the other one writes [ST-088]', async () => {
      const { first, second, gateway } = await twoNodes()
      gateway.next({ text: words(2_000), tokensPerSecond: 100 })
      const visitor = new Visitor()
      const here = await visitor.connect(first)
      const there = await visitor.connect(second)
      const id = here.ask('Long.')
      await here.untilText('word5')
      there.send({ event: 'stop-message', messageId: id })
      await here.untilEvent('stopped', id)
      await expect.poll(() => gateway.requests[0]?.aborted).toBe(true)
    })

    it('keep the log in Redis encrypted, and bounded however long the answer is', async () => {
      const { first, second, gateway } = await twoNodes()
      const text = 'canary-in-redis '.repeat(100_000)
      gateway.next({ text })
      const visitor = new Visitor()
      const client = await visitor.connect(first)
      const id = client.ask('Much.')
      await client.untilEvent('end', id)
      const reading = await visitor.connect(second)
      reading.send({ event: 'resume', messageId: id, afterSeq: 0 })
      await reading.untilEvent('end', id)
      expect(textOf(inOrder(reading.frames, id))).toBe(text)

      const { createClient } = await import('redis')
      const redis = await createClient({ url: redisUrl ?? '' }).connect()
      onTestFinished(() => redis.destroy())
      const entries = (await redis.xRange(`parley:gen:${id}`, '-', '+')) ?? []
      const raw = JSON.stringify(entries)
      expect(raw).not.toContain('canary')
      expect(raw).not.toContain(Buffer.from('canary').toString('base64').slice(0, 7))
      expect(entries.length).toBeGreaterThan(1)
      expect(await redis.pTTL(`parley:gen:${id}`)).toBeLessThanOrEqual(serverLimits.chat.resumeWindowMs)
      // The snapshot and the end each hold the text; beside them at most one bound of frames.
      expect(raw.length).toBeLessThan((2 * text.length + 2 * serverLimits.chat.maxLogBytes) * 1.5)
    })

    it('tell readers that the node of their answer was killed, wherever they read', async () => {
      const gateway = await startGatewayStandIn()
      onTestFinished(() => gateway.close())
      const database = await openPostgresql()
      onTestFinished(async () => {
        await database.database.close()
        await database.remove()
      })
      const env = {
        AUTH_SECRET: secret,
        REDIS_URL: redisUrl ?? '',
        LLM_BASE_URL: gateway.url,
        LLM_API_KEY: 'key',
        DATA_DIR: '/tmp',
      }
      const child = runSource('testing/chat-node.ts', [], { ...env, DATABASE_URL: database.url, PORT: '0' })
      const url = (await outputUntil(child, /http\S+\n/)).trim()
      let ahead = 0
      const survivor = await buildTestApp({
        database: database.database,
        keepTables: true,
        env,
        now: () => Date.now() + ahead,
      })

      gateway.next({ text: words(5_000), tokensPerSecond: 100 })
      const visitor = new Visitor()
      const asking = await visitor.connect({ url })
      const id = asking.ask('Will you survive?')
      const watching = await visitor.connect(survivor)
      await asking.untilEvent('accepted', id)
      watching.send({ event: 'resume', messageId: id, afterSeq: 0 })
      await watching.untilText('word20')
      child.kill('SIGKILL')
      await asking.closed
      // As docs/operations.md says.
      expect(serverLimits.chat.leaseMs + serverLimits.chat.reapEveryMs).toBeLessThan(20_000)
      ahead = serverLimits.chat.leaseMs
      const after = await visitor.connect(survivor)
      after.send({ event: 'resume', messageId: id, afterSeq: 0 })
      for (const client of [watching, after]) {
        expect(await client.untilEvent('error', id)).toMatchObject({ code: 'chat.interrupted' })
        const text = textOf(inOrder(client.frames, id))
        expect(words(5_000).startsWith(text)).toBe(true)
        expect(text).toContain('word20')
      }
      const [row] = await survivor.db.select().from(generations)
      expect(row).toMatchObject({ messageId: id, status: 'interrupted', epoch: 2 })
      expect(gateway.requests).toHaveLength(1)
    })

    it('write on when Redis goes away in mid-answer, and other nodes read it whole when Redis is back', async () => {
      const { hostname, port } = new URL(redisUrl ?? '')
      const wire = await startTcpProxy({ host: hostname, port: Number(port || 6379) })
      const app = await buildChatApp(
        { kind: 'postgresql', bus: 'memory' },
        { env: { AUTH_SECRET: secret, REDIS_URL: `redis://127.0.0.1:${wire.port}` } },
      )
      const other = await buildTestApp({
        kind: 'postgresql',
        keepTables: true,
        env: { AUTH_SECRET: secret, REDIS_URL: redisUrl ?? '' },
      })
      app.gateway.next({ text: words(400), tokensPerSecond: 200 })
      const visitor = new Visitor()
      const client = await visitor.connect(app)
      const id = client.ask('Through the storm.')
      await client.untilText('word30')
      wire.cut()
      await client.untilText('word200')
      const second = await visitor.connect(other)
      second.send({ event: 'resume', messageId: id, afterSeq: 0 })
      await client.untilEvent('end', id)
      expect(textOf(inOrder(client.frames, id))).toBe(words(400))
      // While it is away, questions are still answered.
      await client.untilEvent('end', client.ask('And without Redis?'))
      wire.mend()
      await second.until((frame): frame is ServerFrame => frame.event === 'end')
      expect(textOf(inOrder(second.frames, id))).toBe(words(400))
    })
  },
)

describe.skipIf(!databases.includes('postgresql'))(
  'a database that goes away in mid-answer (needs TEST_DATABASE_URL)',
  () => {
    it('holds back the end, not the text, and the end comes when it is back', async () => {
      const made = await openPostgresql()
      const { hostname, port } = new URL(made.url)
      const wire = await startTcpProxy({ host: hostname, port: Number(port || 5432) })
      const through = new URL(made.url)
      through.host = `127.0.0.1:${wire.port}`
      const log = createLogger({ level: 'silent' })
      const database = await openDatabase({ databaseUrl: through.href, dataDir: '/tmp', log, onCrash: () => undefined })
      onTestFinished(async () => {
        await database.close()
        await made.database.close()
        await made.remove()
      })
      const app = await buildChatApp({ kind: 'postgresql', bus: 'memory' }, { database, env: { AUTH_SECRET: secret } })
      app.gateway.next({ text: words(100), holdAfter: 200 })
      const client = await new Visitor().connect(app)
      const id = client.ask('Through another storm.')
      await client.untilText('word20')
      wire.cut()
      app.gateway.release()
      await client.untilText('word99')
      await client.untilEvent('saving-chat', id)
      expect(client.frames.some(({ event }) => event === 'end')).toBe(false)
      wire.mend()
      await client.untilEvent('end', id)
      expect(textOf(inOrder(client.frames, id))).toBe(words(100))
      const [row] = await made.database.db.select().from(generations)
      expect(row).toMatchObject({ status: 'completed' })
    })
  },
)
