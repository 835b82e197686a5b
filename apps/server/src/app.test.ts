import { configRoutes } from '@parley/contract/config'
import { modelRoutes } from '@parley/contract/models'
import { sessionRoutes } from '@parley/contract/session'
import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { buildTestApp, databases } from './testing/build-test-app'

const Document = z.object({
  paths: z.record(z.string(), z.record(z.string(), z.object({ summary: z.optional(z.string()) }))),
})

describe.each(databases)('the whole app on %s', (kind) => {
  it('tells a client what it may know before anyone signs in', async () => {
    const app = await buildTestApp({ kind, env: { SUPPORT_EMAIL: 'help@example.org', ANON_DAILY_MESSAGES: '7' } })
    const response = await app.call('/api/config')
    expect(await response.json()).toMatchObject({
      product: { name: 'Parley', slug: 'parley' },
      signInMethods: ['email', 'ethereum', 'solana', 'sui'],
      contact: { supportEmail: 'help@example.org' },
      anonymousDailyMessages: 7,
    })
  })

  it('documents every route of the contract', async () => {
    const app = await buildTestApp({ kind })
    const { paths } = z.parse(Document, await (await app.call('/api/docs/json')).json())
    for (const { method, path } of [
      ...Object.values(configRoutes),
      ...Object.values(sessionRoutes),
      ...Object.values(modelRoutes),
    ]) {
      expect(paths[path]?.[method.toLowerCase()]?.summary, path).toBeTruthy()
    }
    expect(paths['/api/health/ready']).toBeTruthy()
    expect(paths['/ws/chat']).toBeTruthy()
  })

  it('goes on serving while nobody listens to the drain, then closes', async () => {
    const app = await buildTestApp({ kind, keepOpen: true })
    await app.drain()
    await expect(fetch(`${app.url}/api/health/live`)).rejects.toThrow()
    await app.close()
    expect(await app.database.isUp()).toBe(true)
  })
})
