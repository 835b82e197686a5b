import { describe, expect, it } from 'vitest'
import { buildTestApp } from '../../testing/build-test-app'
import { testDatabase } from '../../testing/test-databases'

describe('health', () => {
  it('is live and ready while database and bus answer', async () => {
    const app = await buildTestApp()
    expect(await (await app.call('/api/health/live')).json()).toEqual({ status: 'live' })
    expect(await (await app.call('/api/health/ready')).json()).toEqual({ status: 'ready' })
  })

  it('is live but not ready while the database is down', async () => {
    const database = { ...(await testDatabase('pglite')), isUp: async () => false }
    const app = await buildTestApp({ database })
    expect((await app.call('/api/health/live')).status).toBe(200)
    const response = await app.call('/api/health/ready')
    expect(response.headers.get('retry-after')).toBe('5')
    expect(await response.json()).toMatchObject({ success: false, code: 'unavailable', status: 503 })
  })
})
