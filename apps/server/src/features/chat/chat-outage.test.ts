import { serverLimits } from '@parley/contract/limits/server'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openDatabase } from '../../db/client'
import { generations } from '../../db/schema/chat'
import { createLogger } from '../../plugins/logging'
import { databases } from '../../testing/build-test-app'
import { inOrder, textOf, Visitor } from '../../testing/chat-client'
import { buildChatApp, plainSetup, redisUrl } from '../../testing/chat-setups'
import { words } from '../../testing/gateway-scenarios'
import { startTcpProxy } from '../../testing/tcp-proxy'
import { openPostgresql } from '../../testing/test-databases'

/** A PostgreSQL behind a wire. */
async function wiredPostgresql() {
  const made = await openPostgresql()
  const { hostname, port } = new URL(made.url)
  const wire = await startTcpProxy({ host: hostname, port: Number(port || 5432) })
  const through = new URL(made.url)
  through.host = `127.0.0.1:${wire.port}`
  const database = await openDatabase({
    databaseUrl: through.href,
    dataDir: '/tmp',
    log: createLogger({ level: 'silent' }),
    onCrash: () => undefined,
  })
  onTestFinished(async () => {
    await database.close()
    await made.database.close()
    await made.remove()
  })
  return { wire, database, direct: made.database.db }
}

describe.skipIf(!databases.includes('postgresql'))(
  'a database that goes away in mid-answer (needs TEST_DATABASE_URL)',
  () => {
    it('holds back the end, not the text, and the end comes when it is back', async () => {
      const { wire, database, direct } = await wiredPostgresql()
      const app = await buildChatApp({ kind: 'postgresql', bus: 'memory' }, { database })
      app.gateway.next({ text: words(100), holdAfter: 200 })
      const client = await new Visitor().connect(app)
      const id = client.ask('Through a storm.')
      await client.untilText('word20')
      wire.cut()
      app.gateway.release()
      await client.untilText('word99')
      await client.untilEvent('saving-chat', id)
      expect(client.frames.some(({ event }) => event === 'end')).toBe(false)
      wire.mend()
      await client.untilEvent('end', id)
      expect(textOf(inOrder(client.frames, id))).toBe(words(100))
      const [row] = await direct.select().from(generations)
      expect(row).toMatchObject({ status: 'completed' })
    })

    it('for longer than a lease does not make its living nodes look dead', async () => {
      const { wire, database, direct } = await wiredPostgresql()
      let ahead = 0
      const app = await buildChatApp({ kind: 'postgresql', bus: 'memory' }, { database, now: () => Date.now() + ahead })
      app.gateway.next({ text: words(1_000), tokensPerSecond: 100 })
      const client = await new Visitor().connect(app)
      const id = client.ask('Through a long storm.')
      await client.untilText('word20')
      wire.cut()
      ahead = 2 * serverLimits.chat.leaseMs
      await expect.poll(() => app.logs()).toMatch(/reaping failed[\s\S]*heartbeat failed/)
      wire.mend()
      await client.until(
        (frame): frame is Extract<typeof frame, { event: 'end' | 'error' }> =>
          frame.event === 'end' || frame.event === 'error',
      )
      expect(textOf(inOrder(client.frames, id))).toBe(words(1_000))
      const [row] = await direct.select().from(generations)
      expect(row).toMatchObject({ status: 'completed', epoch: 1 })
    })
  },
)

describe.skipIf(!redisUrl)('a Redis that takes everything and answers nothing (needs TEST_REDIS_URL)', () => {
  it('holds up neither the answer under way nor the next question', async () => {
    const { hostname, port } = new URL(redisUrl ?? '')
    const wire = await startTcpProxy({ host: hostname, port: Number(port || 6379) })
    const app = await buildChatApp(plainSetup, { env: { REDIS_URL: `redis://127.0.0.1:${wire.port}` } })
    app.gateway.next({ text: words(200), tokensPerSecond: 200 })
    const client = await new Visitor().connect(app)
    const id = client.ask('Through fog.')
    await client.untilText('word30')
    wire.stall()
    await client.untilEvent('end', id)
    expect(textOf(inOrder(client.frames, id))).toBe(words(200))
    await client.untilEvent('end', client.ask('And now?'))
    expect(app.logs()).not.toMatch(/"level":(50|60)/)
  })
})
