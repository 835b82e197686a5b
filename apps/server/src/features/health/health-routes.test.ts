import { sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { buildTestApp, databases } from '../../testing/build-test-app'
import { redisUrl } from '../../testing/chat-setups'
import { startTcpProxy } from '../../testing/tcp-proxy'
import { databaseKind, testDatabase } from '../../testing/test-databases'

describe('health', () => {
  it('is live and ready while database and bus answer', async () => {
    const app = await buildTestApp()
    expect(await (await app.call('/api/health/live')).json()).toEqual({ status: 'live' })
    expect(await (await app.call('/api/health/ready')).json()).toEqual({ status: 'ready', bus: 'up' })
    expect(await (await app.call('/metrics')).text()).toMatch(/^bus_up 1$[\s\S]*^database_up 1$/m)
  })

  it('is live but not ready while the database is down', async () => {
    const database = { ...(await testDatabase(databaseKind)), isUp: async () => false }
    const app = await buildTestApp({ database })
    expect((await app.call('/api/health/live')).status).toBe(200)
    const response = await app.call('/api/health/ready')
    expect(response.headers.get('retry-after')).toBe('5')
    expect(await response.json()).toMatchObject({ success: false, code: 'unavailable', status: 503 })
  })

  it('is not ready once the node is ending', async () => {
    const app = await buildTestApp()
    await app.drain()
    expect((await app.http.inject('/api/health/live')).statusCode).toBe(200)
    expect((await app.http.inject('/api/health/ready')).statusCode).toBe(503)
  })

  it.skipIf(!redisUrl)(
    'stays ready while the bus is down, silent and back, and says so (needs TEST_REDIS_URL)',
    async () => {
      const { hostname, port } = new URL(redisUrl ?? '')
      const wire = await startTcpProxy({ host: hostname, port: Number(port || 6379) })
      const app = await buildTestApp({ env: { REDIS_URL: `redis://127.0.0.1:${wire.port}` } })
      const ready = async () => {
        const response = await app.call('/api/health/ready')
        return { status: response.status, ...((await response.json()) as object) }
      }
      expect(await ready()).toEqual({ status: 'ready', bus: 'up' })
      for (const breakIt of [wire.cut, wire.stall]) {
        breakIt()
        await expect.poll(ready).toEqual({ status: 'ready', bus: 'down' })
        expect((await app.call('/api/health/ready')).status).toBe(200)
        expect(await (await app.call('/metrics')).text()).toMatch(/^bus_up 0$/m)
        wire.mend()
        await expect.poll(ready).toEqual({ status: 'ready', bus: 'up' })
      }
    },
  )

  it.skipIf(!databases.includes('postgresql'))(
    'stays ready while every connection of the database is busy (needs TEST_DATABASE_URL)',
    async () => {
      const app = await buildTestApp({ kind: 'postgresql' })
      let release = (): void => undefined
      const released = new Promise<void>((resolve) => {
        release = resolve
      })
      let begun = 0
      const busy = Array.from({ length: 40 }, () =>
        app.db.transaction(async (tx) => {
          await tx.execute(sql`select 1`)
          begun++
          await released
        }),
      )
      // As many as there are; the others wait for one of them.
      await expect.poll(() => begun).toBe(20)
      expect((await app.call('/api/health/ready')).status).toBe(200)
      release()
      await Promise.all(busy)
    },
  )
})
