import { serverLimits } from '@parley/contract/limits/server'
import { describe, expect, it } from 'vitest'
import { generations } from '../../db/schema/chat'
import { buildTestApp, databases } from '../../testing/build-test-app'

describe.each(databases)('a server that was killed, on %s', (kind) => {
  it('ends what its former process left running, as soon as nobody can be writing it', async () => {
    const before = await buildTestApp({ kind })
    const now = new Date(Date.now() - serverLimits.chat.leaseMs - 1_000)
    const row = {
      subject: 'anon:someone',
      requestHash: 'h',
      status: 'running',
      owner: 'a former process',
      storageMode: 'local',
      model: 'm',
    } as const
    const messageId = '01a1fbfc-eff3-78e3-a274-84f6c2574fad'
    await before.db.insert(generations).values({ ...row, messageId, heartbeatAt: kind === 'pglite' ? new Date() : now })
    await buildTestApp({ kind, keepTables: true })
    await expect.poll(async () => (await before.db.select().from(generations))[0]?.status).toBe('interrupted')
  })
})
